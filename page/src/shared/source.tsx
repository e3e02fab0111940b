import { useEffect, useRef } from 'preact/hooks'
import type { Datasource } from '../../../client/src/index.ts'
import { blocksOf, type Block, placeOf, startsOfFragments, type Opened } from './document-text.ts'
import { useClient } from './client.ts'
import { counted } from './counted.ts'
import { Failure } from './failure.tsx'
import { nameOf } from './pairs.ts'
import { SureButton } from './sure-button.tsx'
import { titleOf } from './titles.ts'
import { useLoaded } from './hooks.ts'

type SourceProps = {
  opened: Opened
  /** Where it changes, the text is read anew. */
  version?: string | undefined
  onClose: () => void
  onFailed?: () => void
  /** Without it, nothing here deletes the document. */
  onDelete?: (() => void) | undefined
}

/** The text of a document, with a passage marked and in sight. It is read anew each time it is opened. */
export function Source({ opened, version, onClose, onFailed, onDelete }: SourceProps) {
  const client = useClient()
  const { datastoreId, datasourceId, marked, hasRules = false } = opened
  const { value, error } = useLoaded(
    async (signal) => {
      const datasource = await client.getDatasource(datastoreId, datasourceId, { signal })
      const starts = hasRules ? await startsOfFragments(client, datastoreId, datasource) : []
      const blocks = blocksOf(datasource.text, starts, datasource.pages ?? [])
      return { of: opened, datasource, blocks, isRuled: starts.length > 0 }
    },
    [opened, version],
  )
  const shown = value?.datasource.id === datasourceId ? value : undefined
  const text = shown?.datasource.text ?? ''
  const place = shown && placeOf(text, marked)
  const { box, giveBack } = useFocus(opened, shown?.of)
  useEffect(() => {
    if (error !== undefined) onFailed?.()
  }, [error])
  return (
    <aside class="source" aria-labelledby="source-name">
      <header>
        <h2 id="source-name">
          <bdi>{shown ? titleOf(shown.datasource) : 'Source'}</bdi>
          {marked?.page !== undefined && `, page ${marked.page}`}
        </h2>
        {onDelete && (
          <SureButton key={datasourceId} label="Delete" name="this document" onSure={onDelete} />
        )}
        <button onClick={() => (giveBack(), onClose())}>Close</button>
      </header>
      <Failure error={error} />
      {shown && <Notes {...{ ...shown, hasRules }} />}
      {shown?.of === opened && marked && !place && (
        <p role="status">
          The document has changed since, and does not hold this passage any more.
        </p>
      )}
      <div
        class={shown?.isRuled ? 'text ruled' : 'text'}
        ref={box}
        tabIndex={0}
        role="region"
        aria-label="Text of the document"
      >
        {shown?.blocks.map((block) => (
          <TextBlock key={block.start} {...{ text, block, marked: place }} />
        ))}
      </div>
    </aside>
  )
}

/** Leads whoever opened a document to its text, and back to where they were. */
function useFocus(opened: Opened, shown: unknown) {
  const box = useRef<HTMLDivElement>(null)
  const from = useRef<Element | null>(null)
  useEffect(() => bringIntoSight(box.current), [shown, opened])
  useEffect(() => {
    if (!hasFocus(box.current)) from.current = document.activeElement
  }, [opened])
  useEffect(() => {
    if (!opened.isWanted) return
    // Once its text is there, somebody may be at its buttons already.
    if (!hasFocus(box.current)) box.current?.focus()
    // In a narrow window it stands below what was pressed.
    box.current?.parentElement?.scrollIntoView({ block: 'nearest' })
  }, [opened, shown])
  const giveBack = () => {
    if (from.current instanceof HTMLElement) from.current.focus()
  }
  return { box, giveBack }
}

type NotesProps = { datasource: Datasource; hasRules: boolean; isRuled: boolean }

/** What there is to know of a document beside its text. */
function Notes({ datasource: { metadata, fragmentCount }, hasRules, isRuled }: NotesProps) {
  const pairs = Object.entries(metadata ?? {})
  return (
    <>
      {pairs.length > 0 && (
        <p class="quiet">
          {pairs.map(([key, value], index) => (
            <>
              {index > 0 && ' · '}
              <bdi>{nameOf({ key, value })}</bdi>
            </>
          ))}
        </p>
      )}
      {hasRules && !isRuled && fragmentCount > 1 && (
        <p class="quiet">Its {counted(fragmentCount, 'fragment')} are too many to rule off.</p>
      )}
    </>
  )
}

type BlockProps = { text: string; block: Block; marked: Opened['marked'] }

function TextBlock({ text, block, marked }: BlockProps) {
  const { start, end, page } = block
  const clamp = (at: number) => Math.min(Math.max(at, start), end)
  const [from, to] = marked ? [clamp(marked.start), clamp(marked.end)] : [start, start]
  return (
    <>
      {page > 0 && <p class="page">Page {page}</p>}
      <div class="block" dir="auto">
        {withHeadings(text.slice(start, from))}
        {from < to && <mark>{withHeadings(text.slice(from, to))}</mark>}
        {withHeadings(text.slice(to, end))}
      </div>
    </>
  )
}

/** Lets headings stand out, which texts of all kinds of files have as Markdown. */
const withHeadings = (text: string) =>
  text
    .split(/^(#{1,6} .+)$/m)
    .map((part, index) => (index % 2 ? <b class="heading">{part}</b> : part))

/** Whether the focus is in the box or at what stands above it. */
const hasFocus = (box: HTMLElement | null): boolean =>
  box?.parentElement?.contains(document.activeElement) ?? false

const [maxFrames, framesAtRest] = [60, 5]

/** Scrolls only the box, until the mark rests: what was never shown gets its height as it comes into sight. */
function bringIntoSight(box: HTMLElement | null): () => void {
  let [frames, atRest, frame] = [0, 0, 0]
  const scroll = () => {
    const mark = box?.querySelector('mark')
    if (!box || !mark) return
    const before = box.scrollTop
    const down = mark.getBoundingClientRect().top - box.getBoundingClientRect().top
    box.scrollTop += down - box.clientHeight / 4
    atRest = Math.abs(box.scrollTop - before) < 1 ? atRest + 1 : 0
    frames += 1
    if (atRest < framesAtRest && frames < maxFrames) frame = requestAnimationFrame(scroll)
  }
  scroll()
  return () => cancelAnimationFrame(frame)
}
