import { root } from '../support/contract.ts'
import { type Answer, bytesOf, type Case } from './wire.ts'

/** What no answer may hold: by what it is, a word in it. `markers` are those of all workspaces. */
export type Secrets = { words: Record<string, string>; markers: string[] }

const insides: Record<string, RegExp> = {
  'a stack': /\bat .{0,200}(file:\/\/|node:internal|\.ts:\d)/,
  'a path of the code': new RegExp(`node_modules|${root}/`),
  'an error of the store': /Lance ?Error|lance::|_versions\/|\.lance\b/i,
}

const wholeKey = /ads_[0-9a-f]{16}_[0-9a-f]{40,}/g
/** It stands in the document that is served. */
const exampleKey = 'ads_4c1d9a7e20b35f68_00000000000000000000000000000000000000000b2c4d6e'

/** What an answer tells that its caller is not to know. */
export function leaksIn(
  one: Case,
  { status, headers, text }: Answer,
  { words, markers }: Secrets,
): string[] {
  const told = `${[...headers].flat().join('\n')}\n${text}`
  const named = Object.entries(words).filter(([, word]) => told.includes(word))
  // A refusal repeats the path that was asked for.
  const asked = status >= 400 ? bytesOf(one).toString() : ''
  const { marker: own } = one.caller.workspace
  const others = markers.filter((marker) => marker !== own && !asked.includes(marker))
  const makesKey = one.operation?.operationId === 'createKey'
  const keys = makesKey ? [] : (told.match(wholeKey) ?? []).filter((key) => key !== exampleKey)
  return [
    ...named.map(([name]) => `leaks ${name}`),
    ...(others.some((marker) => told.includes(marker))
      ? ['leaks what another workspace stores']
      : []),
    ...(keys.length > 0 ? ['leaks a key'] : []),
    ...Object.entries(insides)
      .filter(([, pattern]) => pattern.test(told))
      .map(([name]) => `leaks ${name}`),
  ]
}
