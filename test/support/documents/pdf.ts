import { deflateSync } from 'node:zlib'

/** A line of text; its size is 11 points where none is given, and it stands one line below the one before, at the left. */
export type PdfLine = string | { text: string; size?: number; gap?: number; x?: number }

type Options = {
  /** What the trailer has besides. */
  trailer?: string
  packed?: boolean
}

/** A PDF of these pages in Helvetica, of characters of Latin-1. */
export function pdfOf(pages: PdfLine[][], { trailer = '', packed = false }: Options = {}): Buffer {
  const contents = pages.map((lines) => Buffer.from(contentOf(lines), 'latin1'))
  return pdfOfContents(
    contents.map((bytes) => (packed ? flate(bytes) : plain(bytes))),
    trailer,
  )
}

/** A PDF whose pages have these streams. */
export function pdfOfContents(contents: Buffer[], trailer = ''): Buffer {
  const kids = contents.map((_, index) => `${4 + 2 * index} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...contents.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      content,
    ]),
  ]
  return assembled(objects, trailer)
}

/** Numbers the objects from 1, and says where each is. */
export function assembled(objects: (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  let length = parts[0]!.length
  const add = (bytes: Buffer) => {
    parts.push(bytes)
    length += bytes.length
  }
  for (const [index, object] of objects.entries()) {
    offsets.push(length)
    const body = typeof object === 'string' ? Buffer.from(object) : object
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]))
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  add(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows}`))
  const end = `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(end)])
}

export const stream = (bytes: Buffer, filter = ''): Buffer =>
  Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${filter} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])

const plain = (bytes: Buffer): Buffer => stream(bytes)
const flate = (bytes: Buffer): Buffer => stream(deflateSync(bytes), '/Filter /FlateDecode')

function contentOf(lines: PdfLine[]): string {
  let y = 800
  return lines
    .map((line) => {
      const given = typeof line === 'string' ? { text: line } : line
      const { text, size = 11, gap = 1.2 * size, x = 60 } = given
      y -= gap
      const escaped = text.replaceAll(/[\\()]/g, (sign) => `\\${sign}`)
      return `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y.toFixed(2)} Tm (${escaped}) Tj ET`
    })
    .join('\n')
}
