/** Ligatures of fonts of TeX that do not say which characters they have, by the codes of OT1 and T1. */
const ligatures = ['ff', 'fi', 'fl', 'ffi', 'ffl']
// oxlint-disable-next-line no-control-regex
const ligature = /[\x0b-\x0f\x1b-\x1f](?=[a-zß-ÿ])|(?<=[A-Za-zß-ÿ])[\x1b-\x1f]/g
// oxlint-disable-next-line no-control-regex
const control = /[\0-\x08\x0b-\x1f]/g
/** TeX may draw an accent before its letter. */
const accented = /(?<accent>[¨ˆ˜ˇ˚])(?<letter>[\p{L}ı])/gv
const combining: Record<string, string> = {
  '¨': '\u0308',
  ˆ: '\u0302',
  '˜': '\u0303',
  ˇ: '\u030c',
  '˚': '\u030a',
}
const presentationForms = /[\ufb00-\ufdff\ufe70-\ufefc]+/g

/** The text of a line as it is written, of the characters that its fonts say. */
export const lineText = (drawn: string): string =>
  drawn
    .replace(ligature, (sign) => ligatures[(sign.charCodeAt(0) - 0x0b) % 0x10] ?? '')
    .replace(control, '')
    .replace(accented, withAccent)
    .replace(presentationForms, (letters) => letters.normalize('NFKC'))
    .trim()

function withAccent(written: string, accent: string, letter: string): string {
  const whole = `${letter === 'ı' ? 'i' : letter}${combining[accent]}`.normalize('NFC')
  return whole.length === 1 ? whole : written
}
