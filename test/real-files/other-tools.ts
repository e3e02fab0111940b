import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import type { RealFile } from './packages.ts'

const run = (command: string, options: string[]): string =>
  execFileSync(command, options, { encoding: 'utf8', maxBuffer: 2 ** 28 })

const pandoc = (path: string): string => run('pandoc', ['-t', 'plain', '--wrap=none', path])

/** The texts of an element in the parts of a package. */
const texts = (path: string, parts: string, element: RegExp): string =>
  [...run('unzip', ['-p', path, parts]).matchAll(element)].map(([, text]) => text).join('\n')

const tools: Record<string, (path: string) => string> = {
  pdf: (path) => run('pdftotext', ['-enc', 'UTF-8', path, '-']),
  html: (path) => run('w3m', ['-dump', '-T', 'text/html', '-O', 'UTF-8', '-cols', '200', path]),
  docx: pandoc,
  epub: pandoc,
  odt: pandoc,
  pptx: (path) => texts(path, 'ppt/slides/slide*.xml', /<a:t>([^<]+)</g),
  xlsx: (path) => texts(path, 'xl/sharedStrings.xml', /<t[^>]*>([^<]+)</g),
}

/** The text that another tool reads in a file; undefined where it reads none. */
export function otherText({ kind, bytes }: RealFile, directory: string): string | undefined {
  const path = `${directory}/read.${kind}`
  writeFileSync(path, bytes)
  try {
    return tools[kind]!(path)
  } catch {
    return undefined
  }
}
