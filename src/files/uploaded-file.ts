/** A file as it was sent; its name and media type are "" where none was sent, and may be wrong. */
export type UploadedFile = { name: string; mediaType: string; bytes: Buffer }

export const isUploadedFile = (value: unknown): value is UploadedFile =>
  typeof value === 'object' && value !== null && 'bytes' in value && Buffer.isBuffer(value.bytes)

export type TextKind = 'html' | 'mail' | 'subtitles' | 'notebook' | 'calendar' | 'contacts' | 'feed'
/** What its sender says of a file, by its name and its media type. */
export type FileHints = { kind?: TextKind; charset?: string }

const kinds: [TextKind, name: RegExp, mediaType: RegExp][] = [
  ['html', /\.x?html?$/i, /^\s*(?:text\/html|application\/xhtml\+xml)\b/i],
  [
    'mail',
    /\.(?:eml|mbox|mht|mhtml)$/i,
    /^\s*(?:message\/rfc822|multipart\/related|application\/mbox)\b/i,
  ],
  ['subtitles', /\.(?:vtt|srt)$/i, /^\s*(?:text\/vtt|application\/x-subrip)\b/i],
  ['notebook', /\.ipynb$/i, /^\s*application\/x-ipynb\+json\b/i],
  ['calendar', /\.ics$/i, /^\s*text\/calendar\b/i],
  ['contacts', /\.vcf$/i, /^\s*text\/(?:x-)?vcard\b/i],
]
const charsetIn = /;\s*charset\s*=\s*"?(?<label>[\w:.-]{1,40})/i

export function hintsOf({ name, mediaType }: Omit<UploadedFile, 'bytes'>): FileHints {
  const [kind] = kinds.find(([, names, types]) => names.test(name) || types.test(mediaType)) ?? []
  const charset = charsetIn.exec(mediaType)?.groups?.['label']
  return { ...(kind && { kind }), ...(charset && { charset }) }
}
