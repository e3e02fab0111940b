import { complaint, type Operation } from './contract.ts'

export const isEvents = ({ headers }: Response): boolean =>
  headers.get('content-type') === 'text/event-stream; charset=utf-8'

/** What is wrong with a stream of events that has ended, or was cut. */
export function eventFaults(operation: Operation | undefined, text: string): string[] {
  const blocks = text.split('\n\n')
  const rest = blocks.pop()
  const check = eventChecker(operation)
  const faults = blocks.flatMap((block) => check(block) ?? [])
  return rest === '' ? faults : [...faults, `ends in the middle of an event: ${rest}`]
}

/** The same answer, whose body breaks where an event is none that the contract allows. */
export function checkedEvents(operation: Operation | undefined, response: Response): Response {
  const check = eventChecker(operation)
  let rest = ''
  const checked = new TransformStream<string, string>({
    transform(text, controller) {
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const wrong = check(block)
        if (wrong !== undefined) throw new Error(`${wrong}: ${block}`)
      }
      controller.enqueue(text)
    },
  })
  const body = response
    .body!.pipeThrough(new TextDecoderStream())
    .pipeThrough(checked)
    .pipeThrough(new TextEncoderStream())
  return new Response(body, response)
}

/** Tells what is wrong with an event or a comment, by the contract and by those before it. */
function eventChecker(operation: Operation | undefined): (block: string) => string | undefined {
  const media = operation?.responses[200]?.content?.['text/event-stream']
  let isFirst = true
  let hasEnded = false
  return (block) => {
    if (!media) return 'a stream is not declared'
    if (hasEnded) return 'comes after the end'
    if (block.startsWith(':')) return isFirst ? 'a comment before the first event' : undefined
    const [, name, json] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
    if (name === undefined || json === undefined) return 'is no event'
    const event = JSON.parse(json)
    if (event.type !== name) return `its data is of the type ${event.type}`
    if (isFirst !== (name === 'sources')) return 'sources do not come first, or come again'
    isFirst = false
    hasEnded = name === 'done' || name === 'error'
    return complaint(media.schema, event)
  }
}
