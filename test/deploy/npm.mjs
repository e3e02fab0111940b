#!/usr/local/bin/node
// Stands for npm where an image is built: `npm ci --omit=dev` takes the packages from where this machine has them.
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const here = '/packages'
const [command, ...options] = process.argv.slice(2)
if (command !== 'ci' || !options.includes('--omit=dev')) throw new Error('Only ci --omit=dev.')
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
for (const [place, { dev, link, resolved }] of Object.entries(packages)) {
  const from = join(here, place.replace('node_modules/', ''))
  if (dev || !place.startsWith('node_modules/') || !existsSync(from)) continue
  if (link) symlinkSync(join('..', resolved), place)
  // Packages within it are entries of their own, and the Node.js in it is made by a script.
  const leftOut = new Set([join(from, 'node_modules'), '/packages/node/bin'])
  if (!link) cpSync(from, place, { recursive: true, filter: (path) => !leftOut.has(path) })
}
