import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** Debian's packages of manuals, vignettes and templates that nobody here made. */
const packages = [
  'apt-doc',
  'debian-policy',
  'debmake-doc',
  'developers-reference',
  'live-manual-odf',
  'live-manual-pdf',
  'python3-docx',
  'r-cran-coin',
  'r-cran-multcomp',
  'r-cran-officer',
  'r-cran-openxlsx',
  'r-cran-party',
  'r-cran-quantreg',
  'r-cran-readxl',
  'r-cran-sandwich',
  'r-cran-strucchange',
  'r-cran-vegan',
  'r-cran-zoo',
]

export type RealFile = { path: string; kind: string; bytes: Buffer }

const kinds = /\.(pdf|docx|xlsx|pptx|epub|odt|html)(?:\.gz)?$/
const maxPagesOfPackage = 12

/** Downloads the packages with `apt-get` into a directory. */
export function realFiles(directory: string): RealFile[] {
  mkdirSync(directory, { recursive: true })
  execFileSync('apt-get', ['download', '-q', ...packages], { cwd: directory, stdio: 'ignore' })
  return globSync('*.deb', { cwd: directory })
    .toSorted()
    .flatMap((deb) => filesOf(directory, deb))
}

function filesOf(directory: string, deb: string): RealFile[] {
  const unpacked = `${directory}/${deb.slice(0, deb.indexOf('_'))}`
  execFileSync('dpkg-deb', ['-x', `${directory}/${deb}`, unpacked])
  const paths = globSync('**/*', { cwd: unpacked }).toSorted()
  const files = paths.flatMap((path) => fileOf(`${unpacked}/${path}`))
  const pages = files.filter(({ kind }) => kind === 'html').slice(0, maxPagesOfPackage)
  return [...files.filter(({ kind }) => kind !== 'html'), ...pages]
}

function fileOf(path: string): RealFile[] {
  const kind = kinds.exec(path)?.[1]
  if (kind === undefined || !statSync(path).isFile()) return []
  const bytes = readFileSync(path)
  return [{ path, kind, bytes: path.endsWith('.gz') ? gunzipSync(bytes) : bytes }]
}
