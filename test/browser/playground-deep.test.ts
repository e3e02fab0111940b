import { describe, expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { beginEvents, delta, toEvent } from '../support/chat-answers.ts'
import { hasChromium } from '../support/chromium.ts'
import { makeLibrarian } from '../support/librarian.ts'
import { Provider } from '../support/provider.ts'
import { openServer, startServer, temporaryDirectory, testKey } from '../support/server.ts'
import { makeDatastore, makeLearnedAgent, upsert } from '../support/things.ts'
import { faultsOf, visitor } from '../support/visits.ts'

const withKey = `/playground#key=${testKey}`
const impacts = ['minor', 'moderate', 'serious', 'critical']

describe.runIf(hasChromium)('/playground, in depth', async () => {
  if (!hasChromium) return
  const { url, client } = await startServer()
  const visit = visitor(url)

  /** A part of the page for a datastore. */
  async function visitPart(part: string, datastore: string) {
    const { page, complaints } = await visit(withKey)
    await page.evaluate(`location.hash = 'pane=${part}&datastore=${datastore}'`)
    return { page, complaints }
  }

  test('a tab says what another one has deleted, and goes on', { tags: 'deep' }, async () => {
    const datastore = await makeDatastore(client, 'shared')
    const [one = ''] = await upsert(
      client,
      datastore,
      { name: 'first', text: 'Bread.' },
      { name: 'second', text: 'Cheese.' },
    )
    const { page } = await visitPart('documents', datastore)
    await page.getByText('2 documents', { exact: true }).waitFor()
    const path = { id: datastore, datasourceId: one }
    await sdk.deleteDatasource({ client, path, throwOnError: true })
    await page.getByRole('button', { name: 'first', exact: true }).click()
    await page.getByRole('alert').getByText('There is no datasource').waitFor()
    await page.getByText('1 document', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Delete first' }).count()).toBe(0)
    expect(await faultsOf(page, impacts)).toEqual([])
    await page.getByRole('button', { name: 'Close' }).click()

    await makeDatastore(client, 'remaining')
    await sdk.deleteDatastore({ client, path: { id: datastore }, throwOnError: true })
    await page.getByRole('button', { name: 'Delete second' }).click()
    await page.getByRole('button', { name: 'Really delete second?' }).click()
    await page.getByText('The datastore shared is gone. This is another one: ').waitFor()
    expect(await page.getByRole('option', { name: 'shared', exact: true }).count()).toBe(0)
    expect(await faultsOf(page, impacts)).toEqual([])
  })

  test('a result leads to its sentence, among headings', { tags: 'deep' }, async () => {
    const datastore = await makeDatastore(client, 'handbook')
    const text =
      '# Staff\n\n## Hours\n\nThe office opens at eight. Lunch is at noon.\n\n## Cats\n\nSeven cats live here.'
    await upsert(client, datastore, { name: 'handbook', text })
    const { page, complaints } = await visitPart('search', datastore)
    await page.getByRole('searchbox', { name: 'Search' }).fill('lunch')
    const call = page.getByRole('region', { name: 'The call' })
    await page.getByText('The same from a program', { exact: true }).click()
    await call.getByText('"topK":10').waitFor()
    await page.getByRole('button', { name: 'handbook' }).click()
    await page.locator('.source mark').waitFor()
    expect(await page.locator('.source mark').textContent()).toBe('Lunch is at noon.')
    expect(await page.locator('.source .heading').allTextContents()).toEqual([
      '# Staff',
      '## Hours',
      '## Cats',
    ])
    await page.getByRole('searchbox', { name: 'Search' }).fill('xyzzy')
    const bars = page.locator('.scores li')
    await bars.nth(1).waitFor()
    await page.getByLabel(/^minScore/).fill('0.9')
    expect(await bars.and(page.locator('.below')).count()).toBe(2)
    expect(await bars.first().locator('line').getAttribute('x1')).toBe('90')
    await page.getByLabel('Mode').selectOption('all')
    await page.getByText('The same from a program, of hybrid alone').waitFor()
    expect(await faultsOf(page, impacts)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('nothing moves for whoever wants no motion', { tags: 'deep' }, async () => {
    const { datastore } = await makeLearnedAgent(client, ['The library opens at nine.'])
    const { page } = await visitPart('ask', datastore)
    const animations = async () => {
      await page.getByLabel(/^Your (next )?question$/).fill('When does the library open?')
      await page.keyboard.press('Enter')
      await page.locator('.source mark').waitFor()
      return page.locator('.source mark').evaluate((mark) => getComputedStyle(mark).animationName)
    }
    expect(await animations()).toBe('mark-comes')
    await page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await animations()).toBe('none')
  })

  test('the colours are kept, and follow the system again', { tags: 'deep' }, async () => {
    const { page } = await visit(withKey)
    const back = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await back()
    await page.getByLabel('Colours').selectOption('dark')
    await expect.poll(back).not.toBe(light)
    const dark = await back()
    await page.reload({ waitUntil: 'networkidle' })
    expect(await back()).toBe(dark)
    await page.getByLabel('Colours').selectOption('')
    await expect.poll(back).toBe(light)
  })

  test('an agent is given datastores and words of its own', { tags: 'deep' }, async () => {
    const { agent, datastore } = await makeLearnedAgent(client, ['The library opens at nine.'])
    const other = await makeDatastore(client, 'the other one')
    const { page } = await visitPart('ask', datastore)
    const knowledge = async () =>
      (await sdk.getKnowledge({ client, path: { id: agent }, throwOnError: true })).data
    const before = await knowledge()
    await page.getByText('Settings').click()
    await page.getByRole('checkbox', { name: 'the other one' }).check()
    await page.getByLabel(/^What it says when/).fill('Ask the desk.')
    await page.getByLabel('Your question').fill('Qwertzuiop xyzzy?')
    await page.keyboard.press('Enter')
    await page.locator('.declined').getByText('Ask the desk.').waitFor()
    expect(await knowledge()).toEqual(before)
    await page.getByRole('button', { name: 'Save for everybody' }).click()
    await page.getByText('Settings', { exact: true }).waitFor()
    expect(await knowledge()).toEqual({
      ...before,
      noAnswer: 'Ask the desk.',
      datastoreIds: [datastore, other],
    })
  })

  test('agents are made, renamed and deleted', { tags: 'deep' }, async () => {
    const { agent, datastore } = await makeLearnedAgent(client, ['The library opens at nine.'])
    const { page } = await visitPart('ask', datastore)
    const choice = page.getByRole('combobox', { name: 'Agent' })
    const agents = () => choice.locator('option').allTextContents()
    await page.getByText('Settings').click()
    await page.getByLabel('Name', { exact: true }).fill('Front desk')
    await page.getByRole('button', { name: 'Save for everybody' }).click()
    await expect.poll(agents).toEqual(['Front desk'])
    await page.getByRole('button', { name: 'Make another agent' }).click()
    await expect.poll(agents).toHaveLength(2)
    expect(await choice.inputValue()).not.toBe(agent)
    await choice.selectOption(agent)
    await page.getByText('Settings').click()
    await page.getByRole('button', { name: 'Delete this agent Front desk' }).click()
    await page.getByRole('button', { name: 'Really delete this agent Front desk?' }).click()
    await expect.poll(agents).toHaveLength(1)
    expect((await sdk.getAgent({ client, path: { id: agent } })).response?.status).toBe(404)
  })

  test('an open document is deleted where it is read', { tags: 'deep' }, async () => {
    const datastore = await makeDatastore(client, 'one document')
    await upsert(client, datastore, { name: 'first', text: 'Bread.' })
    const { page } = await visitPart('documents', datastore)
    await page.getByRole('button', { name: 'first', exact: true }).click()
    await page.getByRole('button', { name: 'Delete this document' }).click()
    await page.getByRole('button', { name: 'Really delete this document?' }).click()
    await page.getByText('Nothing is in this datastore yet.').waitFor()
    expect(await page.locator('.source').count()).toBe(0)
  })

  test(
    'a server that stops in mid-stream is asked again once it is back',
    { tags: 'deep' },
    async () => {
      const provider = await Provider.start()
      const settings = { dataUri: await temporaryDirectory(), chat: provider.chat }
      const first = await openServer(settings)
      onTestFinished(first.close)
      await makeLibrarian(first.client)
      const usual = provider.chatBehaviour
      provider.chatBehaviour = (call, response) => {
        beginEvents(response)
        response.write(toEvent(delta(call, 'The library opens at nine. It is')))
      }
      const { page } = await visit(`${first.url}${withKey}`)
      const ask = async () => {
        await page.getByLabel(/^Your (next )?question$/).fill('When does the library open?')
        await page.keyboard.press('Enter')
      }
      await ask()
      await page.getByRole('article').getByText('It is').first().waitFor()
      await first.close()
      await page.getByText('The answer broke off here.').waitFor()
      const question = page.getByLabel('Your next question')
      await expect.poll(() => question.inputValue()).toBe('When does the library open?')
      provider.chatBehaviour = usual
      const second = await openServer({ ...settings, port: Number(new URL(first.url).port) })
      onTestFinished(second.close)
      await question.press('Enter')
      await page.locator('.source mark').first().waitFor()
      expect(await question.inputValue()).toBe('')
    },
  )
})
