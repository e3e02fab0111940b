/**
 * `npm run bench:files`: what a file of one page takes, how many HTML files `ingest` puts in a second, at rest and
 * beside three busy loops, and the memory of many uploads at once.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { median } from 'simple-statistics'
import { docxOf, xlsxOf } from '../test/support/documents/packages.ts'
import { pdfOf } from '../test/support/documents/pdf.ts'
import { peakMemory, processorTime } from './processes.ts'
import { argumentsOf, runBench } from './run.ts'
import { headers, newDatastore, type Service, startService } from './service.ts'
import { type Cell, circumstances, table } from './table.ts'

const { versions, files, uploads } = argumentsOf({ files: 600, uploads: 16 })
const onePages = 20
const busyLoops = 3
const [minBytes, maxBytes] = [10_000, 200_000]

const words = 'river granite lantern orchard meadow harbour copper willow saffron'.split(' ')
const sentence = (n: number): string =>
  Array.from({ length: 12 }, (_, at) => `${words[(n * 7 + at * at) % words.length]}${n % 97}`).join(
    ' ',
  ) + '.'
const sentences = (count: number, from: number): string[] =>
  Array.from({ length: count }, (_, n) => sentence(from + n))

const htmlOf = (n: number): string => {
  const bytes = minBytes + ((maxBytes - minBytes) * n) / files
  const paragraphs = sentences(Math.ceil(bytes / 120), n * 1_000).map((one) => `<p>${one}</p>\n`)
  const head = `<!doctype html><title>Page ${n}</title><nav><a href="/">Home</a></nav>`
  return `${head}<h1>Page ${n}</h1>\n${paragraphs.join('')}`
}

async function upload({ url }: Service, datastore: string, name: string, bytes: Buffer) {
  const body = new FormData()
  body.append('file', new File([new Uint8Array(bytes)], name))
  const { Authorization } = headers
  const init = { method: 'POST', headers: { Authorization }, body }
  const answer = await fetch(`${url}/datastores/${datastore}/files`, init)
  if (!answer.ok) throw new Error(await answer.text())
  await answer.json()
}

/** The median time and processor time of files of one page, one after the other, once a reader is there. */
async function onePage(service: Service, name: string, fileOf: (n: number) => Buffer) {
  const datastore = await newDatastore(service)
  await upload(service, datastore, name, fileOf(onePages))
  const times: number[] = []
  const spent = processorTime(service.pid)
  for (let n = 0; n < onePages; n++) {
    const began = performance.now()
    await upload(service, datastore, name, fileOf(n))
    times.push(performance.now() - began)
  }
  const processor = (processorTime(service.pid) - spent) / onePages
  return [median(times) / 1000, processor / 1000]
}

/** Files a second of `ingest`, and how it exited. */
async function ingest(service: Service, folder: string, name: string): Promise<Cell[]> {
  const began = performance.now()
  const env = { ...process.env, SERVICE_URL: service.url, API_KEY: headers.Authorization.slice(7) }
  const line = ['src/cli/main.ts', 'ingest', name, folder, '--create']
  const child = spawn(process.execPath, line, { cwd: service.checkout, env, stdio: 'pipe' })
  const told = Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = (await once(child, 'close')) as [number]
  const failed = (await told).join('').match(/^failed /gm)?.length ?? 0
  return [files / ((performance.now() - began) / 1000), failed, code]
}

async function besideBusyLoops<T>(work: () => Promise<T>): Promise<T> {
  const loops = Array.from({ length: busyLoops }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  try {
    return await work()
  } finally {
    for (const loop of loops) loop.kill()
  }
}

const long: [name: string, bytes: Buffer][] = [
  ['long.pdf', pdfOf(Array.from({ length: 250 }, (_, n) => sentences(40, n * 40)))],
  ['long.docx', docxOf(sentences(6_000, 0))],
  [
    'long.xlsx',
    xlsxOf(
      'Sheet',
      Array.from({ length: 8_000 }, (_, n) => [n, ...words]),
    ),
  ],
  ['long.html', Buffer.from(htmlOf(files * 4))],
]

async function uploadsAtOnce(service: Service): Promise<number> {
  const datastore = await newDatastore(service)
  return peakMemory(service.pid, async () => {
    await Promise.all(
      Array.from({ length: uploads }, (_, n) => upload(service, datastore, ...long[n % 4]!)),
    )
  })
}

await runBench(async (data, started) => {
  const folder = join(data, 'pages')
  await mkdir(folder)
  for (let n = 0; n < files; n++) await writeFile(join(folder, `page-${n}.html`), htmlOf(n))
  const pages: Cell[][] = [['', 'PDF, s', 'processor, s', 'DOCX, s', 'processor, s']]
  const rates: Cell[][] = [['', 'files/s', 'failed', 'exit', 'busy: files/s', 'failed', 'exit']]
  const memory: Cell[][] = [['', `${uploads} uploads, peak MiB`]]
  for (const version of versions) {
    const service = await startService(started, version, join(data, version.name))
    const pdf = await onePage(service, 'page.pdf', (n) => pdfOf([sentences(30, n * 30)]))
    const docx = await onePage(service, 'page.docx', (n) => docxOf(sentences(30, n * 30)))
    pages.push([version.name, ...pdf, ...docx])
    const calm = await ingest(service, folder, 'calm')
    rates.push([
      version.name,
      ...calm,
      ...(await besideBusyLoops(() => ingest(service, folder, 'busy'))),
    ])
    memory.push([version.name, await uploadsAtOnce(service)])
    await service.server.kill('SIGTERM')
  }
  console.log(table(pages), table(rates), table(memory), circumstances())
})
