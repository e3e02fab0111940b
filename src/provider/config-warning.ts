import { CallFailed } from './failure.ts'

/** `message` names the wrong setting. `reason` is the provider's answer. */
export type ConfigWarning = { message: string; reason: string | undefined }

/** Names to use in messages: the provider and the settings for its key, address and model. */
export type ProviderNames = { provider: string; key: string; address: string; model: string[] }

export function toConfigWarning(error: unknown, names: ProviderNames): ConfigWarning {
  const { message } = error as Error
  const said = error instanceof CallFailed ? `The ${names.provider} ${message}.` : message
  const reason = error instanceof CallFailed ? error.reason : undefined
  return { message: `${blamed(error, names)} ${said}`, reason }
}

function blamed(error: unknown, { provider, key, address, model }: ProviderNames): string {
  const unreachable = `Nobody answers at ${address} as yet; what needs it fails until then.`
  if (!(error instanceof CallFailed) || ['malformed', 'withheld'].includes(error.kind)) {
    const all = `${model.join(', ')} and ${address}`
    return `The ${provider} does not do what ${all} ask of it.`
  }
  const { status = 503 } = error
  if (status === 401 || status === 403) return `The ${provider} refuses ${key}.`
  if (status === 402 || status === 429) return `The ${provider} refuses calls for now.`
  if (status >= 500) return unreachable
  return status === 400 || status === 422
    ? `The ${provider} refuses ${model.join(' or ')}.`
    : `The ${provider} does not know ${model[0]}, or nothing of the kind is at ${address}.`
}
