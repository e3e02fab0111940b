import { InvalidArgumentError } from 'commander'
import { ChangedNumber, exactJson } from './exact-json.ts'

/** A whole number, whose maximum the service knows. */
export function countOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new InvalidArgumentError('It is a whole number, 1 or more.')
  }
  return Number(text)
}

export function numberOf(text: string): number {
  const number = Number(text)
  if (text.trim() === '' || Number.isNaN(number)) throw new InvalidArgumentError('It is a number.')
  return number
}

/** An option that may be given several times. */
export const collect = (text: string, before: string[] = []): string[] => [...before, text]

export function jsonObjectOf(text: string): Record<string, unknown> {
  const value = parsed(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  throw new InvalidArgumentError('It is a JSON object.')
}

function parsed(text: string): unknown {
  try {
    return exactJson(text)
  } catch (error) {
    if (error instanceof ChangedNumber) throw new InvalidArgumentError(`It ${error.message}.`)
    return undefined
  }
}
