/** No text holds these but by mistake; a form feed and an escape may be meant. */
// oxlint-disable-next-line no-control-regex
const control = /[\0-\x08\x0e-\x1a\x1c-\x1f]/
const unassigned = /[\x80-\x9f]/
const charset = /<meta\b[^>]{0,200}charset\s*=\s*["']?(?<label>[\w-]{1,40})/i
const headLength = 1_024

/** UTF-16 with a byte order mark, UTF-8, what a page declares, or Windows-1252; undefined for no text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const text = decodeAs(encodingByMark(bytes), bytes) ?? decodeAs(declared(bytes), bytes)
  if (text !== undefined) return control.test(text) ? undefined : text
  const legacy = new TextDecoder('windows-1252').decode(bytes)
  const isText = !control.test(legacy) && !unassigned.test(legacy) && !isForeign(legacy)
  return isText ? legacy : undefined
}

/** Fewer letters may be a list of them. */
const minForeign = 10

/** In no language of Windows-1252 do most letters have accents; those of another encoding come out so. */
function isForeign(text: string): boolean {
  let [accented, plain] = [0, 0]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (isBetween(code, 'À', 'ÿ')) accented += 1
    else if (isBetween(code, 'a', 'z') || isBetween(code, 'A', 'Z')) plain += 1
  }
  return accented >= minForeign && accented > plain
}

const isBetween = (code: number, first: string, last: string): boolean =>
  code >= first.charCodeAt(0) && code <= last.charCodeAt(0)

function encodingByMark([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

function declared(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, headLength)).toString('latin1')
  return charset.exec(head)?.groups?.['label']
}

function decodeAs(encoding: string | undefined, bytes: Uint8Array): string | undefined {
  if (encoding === undefined) return undefined
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
