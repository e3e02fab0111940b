const maxMemberLength = 256

/** A member's name in a JSON pointer, cut if it is long. */
export const escapePointer = (member: string): string =>
  (member.length > maxMemberLength ? `${member.slice(0, maxMemberLength)}…` : member)
    .toWellFormed()
    .replaceAll('~', '~0')
    .replaceAll('/', '~1')
