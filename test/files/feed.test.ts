import { expect, test } from 'vitest'
import { readHere } from './read-here.ts'

const textOf = async (xml: string): Promise<string> =>
  (await readHere({ name: 'a.xml', bytes: Buffer.from(xml) })).text

test('a feed of RSS is read as its entries', async () => {
  const items = [
    '<item><title>Ferry &amp; quay</title><guid>x1</guid><link>https://a.example/1</link><pubDate>Mon, 06 May 2024 08:00:00 +0200</pubDate>' +
      '<dc:creator>Kim</dc:creator><description>Short</description><content:encoded><![CDATA[<p>From <b>13 May</b> at 24&nbsp;&euro;.</p>]]></content:encoded></item>',
    '<item><title>Boot</title><description>Light &amp; 5 &lt; 6</description><g:price>129.90 EUR</g:price>' +
      '<g:shipping><g:country>DE</g:country><g:price>4.90</g:price></g:shipping></item>',
  ]
  const feed = `<?xml version="1.0"?>\n<rss version="2.0"><channel><title>Harbour</title><link>https://a.example</link>${items.join('')}</channel></rss>`
  expect(await textOf(feed)).toBe(
    '# Harbour\n\n## Ferry & quay\n\nAddress: https://a.example/1\nDate: Mon, 06 May 2024 08:00:00 +0200\nAuthor: Kim\n\n' +
      'From 13 May at 24 €.\n\n## Boot\n\nprice: 129.90 EUR\nshipping: DE 4.90\n\nLight & 5 < 6',
  )
})

test('a feed of Atom is read as its entries', async () => {
  const entries = [
    '<entry><title type="html">&lt;b&gt;Stone&lt;/b&gt;</title><link href="https://a.example/1"/><id>x</id><published>2024-05-01</published>' +
      '<author><name>Ida</name><email>i@a.example</email></author><content type="xhtml"><div><p>It weighs <i>1.2 t</i> &amp; 3 &lt; 4.</p></div></content></entry>',
    '<entry><title>Flood</title><summary type="html">&lt;p&gt;Two&amp;nbsp;metres.&lt;/p&gt;</summary></entry>',
  ]
  const feed = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Mill</title><subtitle>Grain</subtitle>${entries.join('')}</feed>`
  expect(await textOf(feed)).toBe(
    '# Mill\n\nGrain\n\n## Stone\n\nAddress: https://a.example/1\nDate: 2024-05-01\nAuthor: Ida i@a.example\n\n' +
      'It weighs 1.2 t & 3 < 4.\n\n## Flood\n\nTwo metres.',
  )
})

test('a feed keeps what stands in brackets and is no tag', async () => {
  const title = '<title>Sort a List&lt;String&gt;</title>'
  const text = '<description>If a&lt;b, a Map&lt;String, Integer&gt; is made.</description>'
  expect(await textOf(`<rss><channel><item>${title}${text}</item></channel></rss>`)).toBe(
    '## Sort a List<String>\n\nIf a<b, a Map<String, Integer> is made.',
  )
})

test('a feed without entries, and other XML, stay as they are', async () => {
  for (const xml of [
    '<rss><channel><title>A</title></channel></rss>',
    '<feed><entry>1</entry></feed>',
  ]) {
    expect(await textOf(xml)).toBe(xml)
  }
})
