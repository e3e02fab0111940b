import type { Agent } from '../../generated/types.gen.ts'

export type Prompts = { system: string; user: string }

type PromptFields = Pick<Agent, 'systemPrompt' | 'userPrompt' | 'promptType' | 'promptTemplate'>

/** A deprecated template counts where the prompt that replaces it is empty. */
export function promptsOf(agent: PromptFields): Prompts {
  const { systemPrompt, userPrompt, promptType, promptTemplate } = agent
  const [system, user] = promptType === 'raw' ? ['', promptTemplate] : [promptTemplate, '']
  return { system: systemPrompt || system, user: userPrompt || user }
}

/** Replaces all placeholders in one pass, so that no value is filled in itself. */
export const fill = (template: string, values: { query: string; context: string }): string =>
  template.replace(/\{(query|context)\}/g, (_, name: 'query' | 'context') => values[name])

export const names = (template: string, name: 'query' | 'context'): boolean =>
  template.includes(`{${name}}`)
