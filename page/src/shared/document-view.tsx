import { useEffect, useRef } from 'preact/hooks'
import type { Datasource } from '../../../client/src/index.ts'
import {
  blocksOf,
  type Block,
  placeOf,
  startsOfFragments,
  type OpenDocument,
} from './document-text.ts'
import { useClient } from './client.ts'
import { counted } from './counted.ts'
import { Failure } from './failure.tsx'
import { nameOf } from './metadata-pairs.ts'
import { ConfirmButton } from './confirm-button.tsx'
import { titleOf } from './titles.ts'
import { useLoaded } from './hooks.ts'

type DocumentViewProps = {
  opened: OpenDocument
  /** The text is read again when it changes. */
  version?: string | undefined
  onClose: () => void
  onFailed?: () => void
  /** Without it, nothing here deletes the document. */
  onDelete?: (() => void) | undefined
}

/** The text of a document, scrolled to a marked passage. It is read again each time it is opened. */
export function DocumentView({ opened, version, onClose, onFailed, onDelete }: DocumentViewProps) {
  const client = useClient()
  const { datastoreId, datasourceId, marked, showsFragments = false } = opened
  const { value, error } = useLoaded(
    async (signal) => {
      const datasource = await client.getDatasource(datastoreId, datasourceId, { signal })
      const starts = showsFragments ? await startsOfFragments(client, datastoreId, datasource) : []
      const blocks = blocksOf(datasource.text, starts, datasource.pages ?? [])
      return { of: opened, datasource, blocks, isRuled: starts.length > 0 }
    },
    [opened, version],
  )
  const shown = value?.datasource.id === datasourceId ? value : undefined
  const text = shown?.datasource.text ?? ''
  const place = shown && placeOf(text, marked)
  const { box, restoreFocus } = useFocus(opened, shown?.of)
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
          <ConfirmButton
            key={datasourceId}
            label="Delete"
            name="this document"
            onConfirm={onDelete}
          />
        )}
        <button onClick={() => (restoreFocus(), onClose())}>Close</button>
      </header>
      <Failure error={error} />
      {shown && <Notes {...{ ...shown, showsFragments }} />}
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

/** Moves the focus to the text of an opened document, and back when it is closed. */
function useFocus(opened: OpenDocument, shown: unknown) {
  const box = useRef<HTMLDivElement>(null)
  const from = useRef<Element | null>(null)
  useEffect(() => bringIntoSight(box.current), [shown, opened])
  useEffect(() => {
    if (!hasFocus(box.current)) from.current = document.activeElement
  }, [opened])
  useEffect(() => {
    if (!opened.takesFocus) return
    // The user may have moved to its buttons before the text came.
    if (!hasFocus(box.current)) box.current?.focus()
    // In a narrow window it is below the button that opened it.
    box.current?.parentElement?.scrollIntoView({ block: 'nearest' })
  }, [opened, shown])
  const restoreFocus = () => {
    if (from.current instanceof HTMLElement) from.current.focus()
  }
  return { box, restoreFocus }
}

type NotesProps = { datasource: Datasource; showsFragments: boolean; isRuled: boolean }

/** A document's metadata, and whether its fragments are shown. */
function Notes({ datasource: { metadata, fragmentCount }, showsFragments, isRuled }: NotesProps) {
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
      {showsFragments && !isRuled && fragmentCount > 1 && (
        <p class="quiet">Its {counted(fragmentCount, 'fragment')} are too many to rule off.</p>
      )}
    </>
  )
}

type BlockProps = { text: string; block: Block; marked: OpenDocument['marked'] }

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

/** Emphasizes headings, which are Markdown in the texts of all kinds of files. */
const withHeadings = (text: string) =>
  text
    .split(/^(#{1,6} .+)$/m)
    .map((part, index) => (index % 2 ? <b class="heading">{part}</b> : part))

/** Whether the focus is in the box or in the header above it. */
const hasFocus = (box: HTMLElement | null): boolean =>
  box?.parentElement?.contains(document.activeElement) ?? false

const [maxFrames, framesAtRest] = [60, 5]

/** Scrolls the box until the mark stays in place: blocks get their height when they become visible. */
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
