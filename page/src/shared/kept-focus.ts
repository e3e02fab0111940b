const focusable = 'button, select, input, textarea, summary, a[href], [tabindex="0"]'

/** Whoever goes by keyboard stays near a button that goes with its work, as one that deletes its own row. */
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

/** Where nothing is yet that takes the focus, its surroundings keep the place. */
const isFocusable = (one: Element): boolean => one.hasAttribute('tabindex')

const pathOf = (element: Element): Element[] =>
  element.parentElement ? [element, ...pathOf(element.parentElement)] : [element]
