import { posix } from 'node:path'
import { anyText } from './decode-text.ts'
import type { FileText } from './file-text.ts'
import { readHtml } from './html.ts'
import { readPlainXml } from './xml.ts'
import { type Entries, readEntries } from './zip.ts'

const wanted = /\.(?:xml|opf|x?html?)$/i

export async function readEpub(bytes: Uint8Array): Promise<FileText> {
  const entries = readEntries(bytes, wanted)
  const texts: string[] = []
  for (const name of chaptersOf(entries)) {
    const chapter = entries.get(name)
    if (chapter) texts.push(readHtml((await anyText(chapter))?.text ?? ''))
  }
  return { text: texts.filter((text) => text !== '').join('\n\n') }
}

function chaptersOf(entries: Entries): string[] {
  const list = rootFileOf(entries)
  const items = new Map<string, string>()
  const chapters: string[] = []
  readPlainXml(entries.get(list), {
    onopentag: (name, { id = '', href = '', idref = '' }) => {
      if (name === 'item') items.set(id, posix.join(posix.dirname(list), decoded(href)))
      if (name === 'itemref') chapters.push(items.get(idref) ?? '')
    },
  })
  return chapters
}

function rootFileOf(entries: Entries): string {
  let file = ''
  readPlainXml(entries.get('META-INF/container.xml'), {
    onopentag: (name, { 'full-path': path = '' }) => {
      if (name === 'rootfile') file ||= path
    },
  })
  return file
}

/** Some programs do not encode names of files, which may then contain a percent sign. */
function decoded(href: string): string {
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}
