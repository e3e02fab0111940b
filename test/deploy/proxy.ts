import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Agent } from 'undici'
import { vi } from 'vitest'
import { root } from '../support/contract.ts'
import { freePort } from '../support/free-port.ts'
import { temporaryDirectory } from '../support/server.ts'

export type Proxy = {
  /** Where it speaks TLS, and where it leads there. */
  url: string
  plainUrl: string
  /** The lines of its log of requests so far. */
  logged(): Promise<string>
  stop(): Promise<void>
}

export const deployed = (name: string): string => join(root, 'deploy', name)

const unverified = new Agent({ connect: { rejectUnauthorized: false } })

/** `fetch` that takes a certificate which nobody vouches for. */
export const fetchUnverified: typeof fetch = (input, init) =>
  fetch(input, { ...init, dispatcher: unverified } as RequestInit)

type Edit = (text: string) => string

/** nginx with the file of `deploy/`, other ports and a certificate of its own. */
export async function startNginx(service: string, edit: Edit = (text) => text): Promise<Proxy> {
  const folder = await temporaryDirectory()
  const [tls, plain] = [await freePort(), await freePort()]
  await writeFile(
    join(folder, 'nginx.conf'),
    await nginxConfig(folder, { service, tls, plain, edit }),
  )
  const log = join(folder, 'access.log')
  const args = ['-p', folder, '-c', 'nginx.conf', '-g', 'daemon off;']
  const { stop } = await start('nginx', args, {}, tls)
  return { ...urls(tls, plain), logged: () => readFile(log, 'utf8'), stop }
}

/** The same before several servers, as docs/growing.md says. */
export async function startNginxBefore(services: string[]): Promise<Proxy> {
  const guide = await readFile(join(root, 'docs/growing.md'), 'utf8')
  const [, block = ''] = /```nginx\n(.*?)```/s.exec(guide)!
  const hosts = services.map((service) => `  server ${new URL(service).host};\n`).join('')
  const upstream = block.replace(/(?: *server .*\n)+/, hosts)
  const edit: Edit = (text) => text.replace(/^upstream .*?^\}/ms, () => upstream)
  return startNginx(services[0]!, edit)
}

type Places = { service: string; tls: number; plain: number; edit: Edit }

/** What stands around a file of `conf.d`, and that file with its ports and paths replaced. */
export async function nginxConfig(
  folder: string,
  { service, tls, plain, edit }: Places,
): Promise<string> {
  certify(folder)
  const bodies = ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => join(folder, name))
  await Promise.all(bodies.map((path) => mkdir(path)))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name, index) => `${name}_temp_path ${bodies[index]};`)
    .join('\n')
  const shipped = await readFile(deployed('nginx.conf'), 'utf8')
  const placed = edit(shipped)
    .replaceAll(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ', `listen 127.0.0.1:${tls} `)
    .replaceAll(/\/etc\/letsencrypt\S*\//g, `${folder}/`)
    .replace('127.0.0.1:3000', new URL(service).host)
    .replace(/access_log \S+/, `access_log ${folder}/access.log`)
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  return `${user}
pid ${folder}/nginx.pid;
error_log stderr warn;
events {}
http {
${temporary}
access_log off;
${placed}
}
`
}

/** Caddy with the file of `deploy/`, other ports and a certificate of its own authority. */
export const startCaddy = (service: string, edit: Edit = (text) => text): Promise<Proxy> =>
  caddyBefore([service], 'Caddyfile', edit)

/** The same before several servers. */
export const startCaddyBefore = (services: string[]): Promise<Proxy> =>
  caddyBefore(services, 'servers.Caddyfile', (text) => text)

async function caddyBefore(services: string[], file: string, edit: Edit): Promise<Proxy> {
  const folder = await temporaryDirectory()
  const [tls, plain] = [await freePort(), await freePort()]
  const shipped = await readFile(deployed(file), 'utf8')
  const global = `{\nadmin off\nskip_install_trust\nhttp_port ${plain}\nhttps_port ${tls}\n}\n`
  await writeFile(join(folder, 'Caddyfile'), global + edit(shipped))
  const hosts = services.map((service) => new URL(service).host).join(' ')
  const env = { SITE: '127.0.0.1', SERVICE: hosts, HOME: folder, XDG_DATA_HOME: folder }
  const args = ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
  const { written, stop } = await start('caddy', args, env, tls)
  return { ...urls(tls, plain), logged: async () => written(), stop }
}

const urls = (tls: number, plain: number) => ({
  url: `https://127.0.0.1:${tls}`,
  plainUrl: `http://127.0.0.1:${plain}`,
})

/** Starts a program, and waits for its port. `written` is what it wrote so far. */
async function start(
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  port: number,
): Promise<{ written: () => string; stop: () => Promise<void> }> {
  const stdio = ['ignore', 'ignore', 'pipe'] as const
  const child = spawn(program, args, { env: { PATH: process.env.PATH, ...env }, stdio: [...stdio] })
  let written = ''
  child.stderr.on('data', (bytes) => (written += String(bytes)))
  const stop = async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  const answers = async () => {
    if (child.exitCode === null) await fetchUnverified(`https://127.0.0.1:${port}/health/live`)
  }
  await vi.waitFor(answers, { timeout: 60_000 }).catch(async (cause) => {
    await stop()
    throw new Error(written, { cause })
  })
  if (child.exitCode !== null) throw new Error(written)
  return { written: () => written, stop }
}

function certify(folder: string): void {
  const to = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const args = ['req', '-x509', ...key, ...to, '-days', '1', '-subj', '/CN=search.example']
  execFileSync('openssl', args, { stdio: 'ignore' })
}
