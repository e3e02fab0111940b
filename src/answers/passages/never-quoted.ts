import { isSaid } from './blocks.ts'
import { words } from '../../text/words.ts'
import type { QuestionWords } from './question-words.ts'

/** Tags alone, such as anchors and pictures. */
export const tagsAlone = /^(?:<\/?\p{L}[^<>]*>\s*)+$/u

/** A line that is there for browsers, for links to it, or for the eye; its letters say nothing. */
const lines: readonly RegExp[] = [
  tagsAlone,
  // reStructuredText's anchors, and what it makes of a page.
  /^\.\. (?:_[^\n]*:|(?:contents|toctree|image|figure|only|index|highlight|include|raw|currentmodule|module|program)::.*)$/,
  // Its comments.
  /^\.\. (?![[|]|.*::)\S/,
  // What a tool of a site puts in: `{{ example() }}`, `{% include %}`, `{/* truncate */}`, `<<< code`, `:::tip`.
  /^(?:(?:\{\{(?:(?!\}\}).)*\}\}|\{%(?:(?!%\}).)*%\}|\{\/\*(?:(?!\*\/\}).)*\*\/\})\s*)+$|^(?:<<<\s|:{3,}).*$/,
  // AsciiDoc's anchors and attributes of the block below.
  /^\[(?:[#.%][^[\]\s]+(?:, ?\S[^[\]]*=[^[\]]*)?|\[[^[\]]+\]|source,\S[^[\]]*|(?:id|cols|options|role)=[^[\]]*|NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]$/,
  // Its attributes of the document, and the titles of its blocks.
  /^(?::[a-z][\w-]*!?:|\.\p{Lu}\p{Ll}+\s[^.!?]*)$/u,
  // Its conditions and inclusions.
  /^(?:ifn?def|ifeval|endif|include)::\S*\[.*\]$/,
  // The head and the foot of a manual page: GIT-ADD(1)  Git Manual  GIT-ADD(1).
  /^(\S{1,80}\(\w{1,8}\))\s.*\s\1$/,
  // GNU coreutils 9.1  September 2022  WC(1).
  /^\S.*\S(?:\s{2,}|\t)\S.*(?:\s{2,}|\t)[A-Z][A-Z\d_.+-]{0,80}\([1-9][a-z]{0,3}\)$/,
  // A line of a table of contents with its page.
  /(?:\.\s?){4,}\s*\d{1,4}$/,
  // What parts the fields of a CSV, as Excel writes it.
  /^sep=[^\w\s]$/i,
  // A label of a form.
  /^[^:]{1,40}:\s*_{3,}/,
]
const markdownFile = /\.(?:md|mdx|markdown)$/i
const aloneInText = [
  // `.. code-block:: python`, but not a note in one line.
  /^\.\. [\w-]+::(?:[^\S\n]+\S+){0,2}[^\S\n]*$/,
  // `borg [options] prune NAME`, but not `Select [Options] > [Sound]`.
  /^(?!\p{Lu}\p{Ll}*\s)[^.!?\n]*\s\[(?:\p{L}+ )?(?:[Oo]ptions?|OPTIONS?)\][^.!?\n]*$/u,
]

/** As of data in Base64, or of a piece of a long address; a whole one is something that readers can follow. */
const endless = /(?<![\w+/=%.:?&#~-])[\w+/=%.:?&#~-]{200,}/g

export function isData(text: string): boolean {
  const runs = text.match(endless)?.filter((run) => !run.includes('://')) ?? []
  return 2 * runs.join('').length > text.length
}

/** Less of the letters of a wall of pictures, as of contributors, stands between its tags. */
const minShareBetweenTags = 0.15

export function isWallOfPictures(text: string): boolean {
  if (!text.includes('<img')) return false
  const between = lettersIn(text.replaceAll(/<[^<>]*>/g, ''))
  return between < minShareBetweenTags * lettersIn(text)
}

/** Whether a part says nothing alone, or readers of such a document do not see it: comments, scripts and styles. */
export function isUnseenPart(kind: string, text: string, document: string): boolean {
  if (kind === 'comment') return markdownFile.test(document) || !text.startsWith('<!--')
  return kind === 'text' && aloneInText.some((pattern) => pattern.test(text))
}

const target = String.raw`(?:\([^()]*\)|\[[^\[\]]*\])`
const image = new RegExp(String.raw`\[?!\[[^\[\]]*\]${target}(?:\]${target})?`, 'g')
const link = new RegExp(String.raw`\[([^\[\]]+)\]${target}|<a\s[^<>]*>([^<>]*)<\/a>`, 'gi')

const maxLine = 300

export function isNeverQuoted(line: string): boolean {
  const text = line.trim().slice(0, maxLine)
  if (lines.some((pattern) => pattern.test(text))) return true
  return text.includes('![') && !isSaid(text.replace(image, ''))
}

/** Whether most letters are those of links, as in navigation and tables of contents. */
export function isMostlyLinks(text: string): boolean {
  if (!/[\]>]/.test(text)) return false
  let linked = 0
  const plain = text.replace(image, '').replace(link, (_, markdown?: string, html?: string) => {
    linked += lettersIn(markdown ?? html ?? '')
    return ''
  })
  return linked > 0 && lettersIn(plain) < linked
}

/** Whether a paragraph is there to be seen or clicked. */
export const saysNothing = (text: string): boolean =>
  isMostlyLinks(text) || tagsAlone.test(text) || isWallOfPictures(text)

const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

const maxLinesOfMatter = 100
const key = /^[^\s:#-][^:]{0,60}:(?:\s|$)/
const lineOfMatter = /^(?:[^\s:][^:]{0,60}:(?:\s|$)|[\s#\]}-]|$)/

/** The end of front matter, which tools of sites read; 0 without it. `goesOn` says that this is the beginning of a text. */
export function frontMatterEnd(text: string, goesOn: boolean): number {
  if (!/^---\s/.test(text)) return 0
  const all = text.split('\n', maxLinesOfMatter).map((line) => line.trimEnd())
  const close = all.indexOf('---', 1)
  const matter = all.slice(1, close)
  if (close < 0 || !key.test(matter[0] ?? '') || !matter.every((line) => lineOfMatter.test(line)))
    return 0
  const next = all.slice(close + 1).find((line) => line !== '')
  if (next === undefined ? !goesOn : key.test(next)) return 0
  return text.split('\n', close + 1).join('\n').length
}

/** Nothing of a manual page's SYNOPSIS is quoted; its NAME is one line. Undefined for other parts. */
export function kindInManual(
  kind: string,
  text: string,
  heading: string,
): 'skipped' | 'name' | undefined {
  if (kind !== 'heading' && synopsis.test(heading)) return 'skipped'
  const isName = kind === 'text' && nameOfPage.test(heading) && programOf(text) !== ''
  return isName ? 'name' : undefined
}

const synopsis = /^\W*synopsis\W*$/i
const nameOfPage = /^\W*NAME\W*$/

/** The programs that the NAME of a manual page begins with, as in `tac - print files in reverse`. */
const programOf = (name: string): string => /^(\S[^\n]{0,200}?)\s[-–—]\s/.exec(name)?.[1] ?? ''

/** Whether a question asks more of the programs of a manual page than what one is: its name line is no answer then. */
export function asksOfPrograms(nameLine: string, question: QuestionWords): boolean {
  const programs = words(programOf(nameLine))
  const areNamed = programs.every((word) => question.coverOf([word]).indexes.length > 0)
  const share = question.shareOf(question.coverOf(programs))
  return areNamed && (programOf(nameLine).includes(',') || share < shareOfProgramAlone)
}

/** Of a question such as "What does tac do?", beside stop words. */
const shareOfProgramAlone = 0.8
