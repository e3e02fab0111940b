const maxTarget = 500
/** Targets that work without the file. Of a telephone number or a mail address only that is written. */
const target = /^(?:(?<web>(?:https?|ftp):\/\/\S+)|(?:tel|mailto):(?<direct>[^?]+))/i

/** The target to write beside a link's words; "" if they say it, or if it leads nowhere outside. */
export function linkTarget(href: string, words: string): string {
  const { web, direct } = target.exec(href.trim())?.groups ?? {}
  const shown = web ?? direct ?? ''
  const isSaid = bare(words).includes(bare(shown)) || words.trim() === ''
  return isSaid || shown.length > maxTarget ? '' : shown
}

/** Drops the parts that people leave out when they write an address. */
const bare = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^\s*(?:https?|ftp):\/\/(?:www\.)?|^\s*www\./, '')
    .replace(/[\s()\-\u2011]+/g, '')
    .replace(/\/$/, '')
