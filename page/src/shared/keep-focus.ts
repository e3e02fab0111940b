const focusable = 'button, select, input, textarea, summary, a[href], [tabindex="0"]'

/** Keeps the focus near a button that removes itself, as one that deletes its row, for users of a keyboard. */
export function keepFocus(within: Element): void {
  let path: Element[] = []
  within.addEventListener('focusin', ({ target }) => {
    path = pathOf(target as Element)
  })
  const watch = new MutationObserver(() => {
    if (document.activeElement !== document.body || path[0]?.isConnected !== false) return
    const near = path.find((one) => one.isConnected && (isFocusable(one) || firstIn(one)))
    // Nobody works in the head of the page.
    const place = near?.closest('main, .choices') ? near : within.querySelector('main')
    const next = place && (firstIn(place) ?? (place as HTMLElement))
    next?.focus({ preventScroll: true })
  })
  watch.observe(within, { childList: true, subtree: true })
}

const firstIn = (one: Element) => one.querySelector<HTMLElement>(focusable)

/** An element around it may take the focus itself. */
const isFocusable = (one: Element): boolean => one.hasAttribute('tabindex')

const pathOf = (element: Element): Element[] =>
  element.parentElement ? [element, ...pathOf(element.parentElement)] : [element]
