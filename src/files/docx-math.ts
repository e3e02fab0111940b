const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`

const tags: Record<'open' | 'close', Record<string, string>> = {
  open: {
    'm:r': '<w:r>',
    'm:t': '<w:t xml:space="preserve">',
    'm:d': run('('),
    'm:num': run('('),
    'm:den': run('/('),
    'm:sup': run('^'),
    'm:sub': run('_'),
    'm:rad': run('√'),
  },
  close: {
    'm:r': '</w:r>',
    'm:t': '</w:t>',
    'm:d': run(')'),
    'm:num': run(')'),
    'm:den': run(')'),
  },
}

/** What takes the place of a tag of a formula, so that it is text in one line: `x^2`, `(a+b)/(c)`. */
export function mathTag(
  place: 'open' | 'close',
  name: string,
  attributes: Record<string, string> = {},
): string {
  if (name === 'm:chr' && place === 'open') return run(attributes['m:val'] ?? '')
  return tags[place][name] ?? ''
}
