import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from '../test/support/contract.ts'
import { Random } from '../test/support/random.ts'

type Readme = { name: string; text: string }

/** What is asked, and the words that the fragment must hold which answers it. */
type LongQuestion = { query: string; name: string; answer: string }

const minLength = 10_000
const questionsADocument = 12
const triesADocument = 400
/** The two words of a question are so close that no cut has a reason to part them. */
const maxWordsApart = 8

/** The READMEs of the packages here that are long, each text once. */
export function longReadmes(): Readme[] {
  const modules = join(root, 'node_modules')
  const files = globSync('**/[Rr][Ee][Aa][Dd][Mm][Ee].md', { cwd: modules }).toSorted()
  const readmes = files.map((file) => ({
    name: relative('.', dirname(file)),
    text: readFileSync(join(modules, file), 'utf8').toWellFormed(),
  }))
  const long = readmes.filter(({ text }) => text.length > minLength)
  return [...new Map(long.map((readme) => [readme.text, readme])).values()]
}

/** Of each README some: a heading and two words of a paragraph below it, the same ones each time. */
export function questionsAbout(readmes: Readme[]): LongQuestion[] {
  const random = new Random(1)
  return readmes.flatMap((readme) => {
    const paragraphs = paragraphsOf(readme.text)
    const asked = new Map<string, LongQuestion>()
    for (let left = triesADocument; paragraphs.length > 0 && left > 0; left--) {
      const question = questionAbout(readme, random.pick(paragraphs), random)
      if (question) asked.set(question.answer, question)
    }
    return [...asked.values()].slice(0, questionsADocument)
  })
}

type Paragraph = { heading: string; text: string }

const fence = /^ *(?:```|~~~)/
const plainWord = /^[A-Za-z]{5,}$/

function paragraphsOf(text: string): Paragraph[] {
  const paragraphs: Paragraph[] = []
  let [heading, isCode] = ['', false]
  for (const block of text.split(/\n\s*\n/)) {
    const lines = block.split('\n')
    const isProse = !isCode && /^[A-Z][a-z]/.test(block) && !/[|<]/.test(block)
    for (const line of lines) {
      if (fence.test(line)) isCode = !isCode
      if (!isCode && /^#{1,6} /.test(line)) heading = line.replace(/^#+ /, '')
    }
    if (isProse && heading !== '') paragraphs.push({ heading, text: block })
  }
  return paragraphs
}

function questionAbout(
  { name, text }: Readme,
  paragraph: Paragraph,
  random: Random,
): LongQuestion | undefined {
  const words = [...paragraph.text.matchAll(/\S+/g)]
  const first = random.below(words.length)
  const second = first + 1 + random.below(maxWordsApart)
  const [one, other] = [words[first], words[second]]
  if (!one || !other || !plainWord.test(one[0]) || !plainWord.test(other[0])) return undefined
  const answer = paragraph.text.slice(one.index, other.index + other[0].length)
  // A text in two places would have two right answers.
  if (text.split(answer).length > 2) return undefined
  return { query: `${paragraph.heading} ${one[0]} ${other[0]}`, name, answer }
}
