import type { OutputConfiguration } from 'commander'

/** For commands whose last words are a sentence, in which a word may look like an option. */
export const quotingHint: OutputConfiguration = {
  outputError: (text, write) => {
    const hint = 'If it is a word of a question, put the whole question in quotes.\n'
    write(text.startsWith('error: unknown option') ? text + hint : text)
  },
}
