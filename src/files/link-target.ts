const maxTarget = 500
/** What a reader may follow without the file; the number or the address of the last two is all there is to say. */
const target = /^(?:(?<web>(?:https?|ftp):\/\/\S+)|(?:tel|mailto):(?<direct>[^?]+))/i

/** What to say of a link beside its words; "" where they say it, or where it leads nowhere outside. */
export function linkTarget(href: string, words: string): string {
  const { web, direct } = target.exec(href.trim())?.groups ?? {}
  const shown = web ?? direct ?? ''
  const isSaid = bare(words).includes(bare(shown)) || words.trim() === ''
  return isSaid || shown.length > maxTarget ? '' : shown
}

/** Without what people leave out as they write an address. */
const bare = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^\s*(?:https?|ftp):\/\/(?:www\.)?|^\s*www\./, '')
    .replace(/[\s()\-\u2011]+/g, '')
    .replace(/\/$/, '')
