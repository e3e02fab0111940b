import { build } from 'esbuild'
import { join } from 'node:path'

const page = join(import.meta.dirname, '../page')

/** Bundles the page /playground into one script and one style sheet, which a browser takes as they are. */
export async function bundlePage(output: string): Promise<void> {
  await build({
    entryPoints: ['src/main.tsx', 'style/style.css'].map((file) => ({
      in: join(page, file),
      out: 'playground',
    })),
    outdir: output,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
  })
}
