import { once } from 'node:events'
import { harmless } from './harmless.ts'

/** Writes a line to standard output, and waits for a slow reader. */
export async function print(line: string): Promise<void> {
  await write(`${line}\n`)
}

export async function write(text: string): Promise<void> {
  const written = process.stdout.isTTY ? harmless(text) : text
  if (!process.stdout.write(written)) await once(process.stdout, 'drain')
}

/** Writes to standard error, so that a pipe holds the result alone. */
export function note(line: string): void {
  process.stderr.write(`${process.stderr.isTTY ? harmless(line) : line}\n`)
}

/** `json` for programs, else `text`. */
export const printAs = (isJson: boolean, json: unknown, text: string): Promise<void> =>
  print(isJson ? JSON.stringify(json) : text)
