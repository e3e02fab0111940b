const tag = /<(\/?)(table|thead|tbody|tfoot|tr|th)(?=[\s>/])/gi

/**
 * The same page with `td` for `th`, and with the end of a row before each group of rows: the parser does not know
 * that the one ends the other where its end tag is left out.
 */
export function withEndedRows(html: string): string {
  /** Of each open table, whether it is in a row. */
  const rows: boolean[] = []
  return html.replaceAll(tag, (written, slash: string, tagName: string) => {
    const name = tagName.toLowerCase()
    if (name === 'th') return `<${slash}td`
    const isInRow = name === 'table' ? undefined : rows.pop()
    if (name === 'table' && slash === '/') rows.pop()
    else if (name === 'table' || isInRow !== undefined) rows.push(name === 'tr' && slash === '')
    return isInRow && name !== 'tr' && slash === '' ? `</tr>${written}` : written
  })
}
