import { linkTarget } from './link-target.ts'
import type { Annotation } from './pdf-fields.ts'
import type { Word } from './pdf-words.ts'

/** Notes on the words that lie in a link where it leads to, unless they say it. */
export function noteLinks(words: Word[], annotations: Annotation[]): void {
  const links = annotations.filter(({ subtype, url }) => subtype === 'Link' && url)
  for (const { url = '', rect = [], quadPoints } of links) {
    const boxes = quadPoints ? boxesIn(quadPoints) : [rect]
    const linked = words.filter((word) => boxes.some((box) => isIn(word, box)))
    const target = linkTarget(url, linked.map(({ text }) => text).join(''))
    for (const word of linked) word.link = target
  }
}

function boxesIn(points: ArrayLike<number>): number[][] {
  const numbers = Array.from(points)
  return Array.from({ length: Math.floor(numbers.length / 8) }, (_, index) => {
    const corners = numbers.slice(8 * index, 8 * index + 8)
    const [xs, ys] = [0, 1].map((odd) => corners.filter((__, place) => place % 2 === odd))
    return [Math.min(...xs!), Math.min(...ys!), Math.max(...xs!), Math.max(...ys!)]
  })
}

function isIn({ left, right, y, size }: Word, box: number[]): boolean {
  const [boxLeft = 0, bottom = 0, boxRight = 0, top = 0] = box
  const middle = (left + right) / 2
  return middle >= boxLeft && middle <= boxRight && y + size / 3 >= bottom && y + size / 3 <= top
}
