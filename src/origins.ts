import { StartupError } from './errors.ts'

/**
 * The origins whose pages may call the service, as `CORS_ORIGINS` lists them. Each is compared letter by
 * letter with what a browser sends.
 * @throws StartupError
 */
export function readOrigins(value: string): string[] {
  const origins = value.split(',').flatMap((part) => part.trim() || [])
  if (origins.length === 1 && origins[0] === '*') return origins
  for (const origin of origins) {
    const url = URL.canParse(origin) ? new URL(origin) : undefined
    if (url?.origin === origin && /^https?:[^*]+$/.test(origin)) continue
    throw new StartupError(
      `CORS_ORIGINS must be origins such as https://app.example with commas between, or * alone, not "${origin}".`,
    )
  }
  return origins
}
