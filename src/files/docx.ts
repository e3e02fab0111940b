import { zipSync } from 'fflate'
import { convertToHtml, images } from 'mammoth'
import type { FileText } from './file-text.ts'
import { readHtml } from './html.ts'
import { readEntries } from './zip.ts'

/** Pictures and fonts are not read. */
const wanted = /\.(?:xml|rels)$/i
const styleMap = ["p[style-name='Title'] => h1:fresh"]

/** Packed anew, so that mammoth unpacks no more than was measured. */
export async function readDocx(bytes: Uint8Array): Promise<FileText> {
  const entries = Object.fromEntries(readEntries(bytes, wanted))
  const buffer = Buffer.from(zipSync(entries, { level: 0 }))
  const convertImage = images.imgElement(async () => ({ src: '' }))
  const { value } = await convertToHtml({ buffer }, { styleMap, convertImage })
  return readHtml(value)
}
