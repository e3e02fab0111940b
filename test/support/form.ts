import type { Json } from './contract.ts'

/** JSON as a form; a `file` that is a text becomes one. */
export function toForm(json: string): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(JSON.parse(json) as Record<string, Json>)) {
    if (name === 'file' && typeof value === 'string') form.append(name, new Blob([value]))
    else form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return form
}

/** How a form of one file begins, and its media type. */
export const formType = 'multipart/form-data; boundary=form'
export const formStart =
  '--form\r\nContent-Disposition: form-data; name="file"; filename="a.html"\r\n\r\n'
