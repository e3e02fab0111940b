import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { hasChromium } from '../support/chromium.ts'
import { ask, button, choose, marked, open, playgroundOf, withKey } from '../support/playground.ts'
import { startServer } from '../support/server.ts'
import { makeDatastore, makeLearnedAgent, upsert } from '../support/things.ts'
import { xquad } from '../support/xquad.ts'

/** What the page shows of documents is what they say, in place and as text. */
describe.runIf(hasChromium)('quotes on /playground', async () => {
  if (!hasChromium) return
  const { url, client } = await startServer()
  const { visit, visitPart } = playgroundOf(url)

  const texts: [string, string, string][] = [
    [
      'Arabic',
      'تفتح المكتبة أبوابها في التاسعة صباحا. وتغلق يوم الجمعة.',
      'متى تفتح المكتبة أبوابها؟',
    ],
    [
      'Arabic after emoji',
      '📚🕌 تبقى الكتب أربعة أسابيع عند القارئ.',
      'كم أسبوعا تبقى الكتب عند القارئ؟',
    ],
    ['Chinese', '图书馆早上九点开门。星期天不开门。', '图书馆几点开门？'],
    ['Chinese after emoji', '🐼🎋 每本书可以借四个星期。', '每本书可以借几个星期？'],
    [
      'German after emoji',
      '🎉👩‍👩‍👧 Bücher bleiben vier Wochen. Danach kosten sie Geld.',
      'Wie lange bleiben Bücher?',
    ],
    ['German', 'Die Bücherei öffnet um neun. Der Käse liegt daneben.', 'Wann öffnet die Bücherei?'],
    [
      'Hebrew among English',
      'The sign says שלום לכולם in blue. The door is green.',
      'What does the sign say?',
    ],
    [
      'letters beyond the BMP',
      '𝔄𝔅ℭ 𠮷野家 The old print shop sells maps.',
      'What does the old print shop sell?',
    ],
  ]

  test.each(texts)(
    'what is marked in a text, %s, is the quote of the API',
    { tags: 'deep' },
    async (_, text, query) => {
      const other = '😀👩‍👩‍👧 Nothing of that kind stands here.\n\n'.repeat(3)
      const padded = `${other}${text}\n\n${other}`
      const { agent, datastore } = await makeLearnedAgent(client, [padded])
      const { page, complaints } = await visit(withKey)
      await choose(page, datastore)
      await ask(page, query)
      const quote = await quoteOf(agent, query)
      expect(quote?.start).toBeGreaterThanOrEqual(other.length)
      expect(await marked(page)).toBe(quote!.text)
      expect(await cited(page)).toBe(quote!.text)
      expect(complaints).toEqual([])
    },
  )

  /** What is marked once somebody presses the number of an answer. */
  async function cited(page: Page): Promise<string> {
    await button(page, 'Close').click()
    await page.locator('.said .cite').first().click()
    return marked(page)
  }

  async function quoteOf(id: string, query: string) {
    const body = { query, store: false }
    const { data } = await sdk.queryAgent({ client, path: { id }, body, throwOnError: true })
    return data.citations[0]?.quote
  }

  test(
    'what is marked is the quote of the API, for questions of XQuAD',
    { tags: 'deep' },
    async () => {
      const { agent, datastore } = await makeLearnedAgent(client, xquad.paragraphs)
      const { page } = await visit(withKey)
      await choose(page, datastore)
      let quoted = 0
      const questions = xquad.questions.slice(0, 20)
      for (const { question } of questions) {
        await ask(page, question)
        const quote = await quoteOf(agent, question)
        if (quote === undefined) await page.getByText('Not known').waitFor()
        else expect([await marked(page), await cited(page)]).toEqual([quote.text, quote.text])
        quoted += quote === undefined ? 0 : 1
        await button(page, 'New conversation').click()
      }
      expect(quoted).toBeGreaterThan(questions.length / 2)
    },
  )

  test('what a document says stays text', { tags: 'deep' }, async () => {
    const hostile =
      '<script>document.title = "taken"</script> The bad library [1](javascript:alert(1)) \u202eopens\u202c <img src=x onerror=alert(1)>.'
    const name = '<b onclick=alert(1)>\u202egnp.exe'
    const { datastore } = await makeLearnedAgent(client, [{ text: hostile, name }])
    const { page, complaints, outside } = await visit(withKey)
    await choose(page, datastore)
    await ask(page, 'When does the bad library open?')
    expect(hostile).toContain(await marked(page))
    await open(page, 'Search')
    await page.getByRole('searchbox', { name: 'Search' }).fill('bad library')
    await page.getByRole('listitem').locator('mark').first().waitFor()
    await open(page, 'Documents')
    await button(page, name).first().click()
    await page.locator('.text').getByText('javascript:alert').waitFor()
    expect(
      await page.locator('#playground').locator('script, img, b, [href^=javascript]').count(),
    ).toBe(0)
    expect(await page.title()).toBe('Agents and Datastores: playground')
    expect([complaints, outside]).toEqual([[], []])
  })

  test('a search shows of a long fragment what was sought', { tags: 'deep' }, async () => {
    const datastore = await makeDatastore(client, 'long')
    const other = 'Nobody counts these lines. '.repeat(25)
    const text = `${other}The lighthouse keeper feeds seven cats. ${other}`
    await upsert(client, datastore, { name: 'long', text })
    const page = await visitPart('search', datastore)
    await page.getByRole('searchbox', { name: 'Search' }).fill('lighthouse cats')
    const said = page.locator('.results .said', { hasText: 'The lighthouse keeper feeds' }).first()
    await said.waitFor()
    const shown = (await said.textContent())!
    expect(shown).toMatch(/^… .*seven cats\. .* …$/)
    expect(shown.length).toBeLessThan(700)
    expect(await said.locator('mark').allTextContents()).toEqual(['lighthouse', 'cats'])
  })
})
