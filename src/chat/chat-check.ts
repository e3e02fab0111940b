import { ModelName } from '../../generated/types.gen.ts'
import { type ChatConfig, chatModelSetting } from '../config/config.ts'
import { type ConfigWarning, toConfigWarning } from '../provider/failure.ts'
import type { OpenAiChat } from './openai-chat.ts'

/** Calls each model once. @returns what is wrong with the settings */
export async function checkChat(chat: OpenAiChat, config: ChatConfig): Promise<ConfigWarning[]> {
  const models = new Set(Object.values(config.models))
  const warnings = await Promise.all([...models].map((model) => checkModel(chat, config, model)))
  return warnings.flat()
}

async function checkModel(
  chat: OpenAiChat,
  config: ChatConfig,
  model: string,
): Promise<ConfigWarning[]> {
  const setting = `${settingOf(model, config)} (${model})`
  try {
    const refused = await chat.probe(model)
    if (!refused.includes('temperature')) return []
    const message = `The model of ${setting} takes no temperature, so the temperatures of agents are ignored.`
    return [{ message, reason: undefined }]
  } catch (error) {
    const { keyName: key, urlName: address } = config
    return [toConfigWarning(error, { provider: 'chat provider', key, address, model: [setting] })]
  }
}

function settingOf(model: string, { models }: ChatConfig): string {
  const all = Object.values(ModelName)
  const names = all.filter((name) => models[name] === model)
  return names.length === all.length ? 'CHAT_MODEL' : names.map(chatModelSetting).join(', ')
}
