import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const executablePath = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path))
if (!executablePath && process.env.CI) throw new Error('CI needs Chromium; .ci/run installs it.')
if (!executablePath) console.warn('No Chromium is installed: the pages are not tested here.')

export const hasChromium = executablePath !== undefined

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    ...(executablePath && { executablePath }),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
