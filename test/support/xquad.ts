import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readXquad, type Xquad } from '../../bench/collection.ts'
import { root } from './contract.ts'

const folder = process.env.XQUAD ?? join(root, '../shared/data/xquad-en')

const own = [
  'The library opens at nine in the morning, Monday to Saturday. On Sundays it is closed. Dr. Ada Byron founded it in 1843 with 200 books.',
  'Books may be kept for four weeks. They can be renewed twice, unless another reader waits for them.\n\nA lost book costs twenty euros.',
  'Die Bibliothek öffnet um neun Uhr. Am Sonntag bleibt sie geschlossen.',
  '図書館は午前九時に開館します。日曜日は休館です。 😀 猫も歓迎します。',
  'مواعيد المكتبة من التاسعة صباحا. تغلق المكتبة أيام الأحد.',
]
const ownQuestions = [
  'When does the library open?',
  'Who founded the library?',
  'How long may books be kept?',
  'Wann öffnet die Bibliothek?',
  '図書館は何時に開館しますか',
  'متى تغلق المكتبة؟',
]

/** Paragraphs and questions: XQuAD's where it lies beside this repository, a few of our own otherwise. */
export const xquad: Xquad = existsSync(folder)
  ? readXquad(folder)
  : {
      paragraphs: own,
      questions: ownQuestions.map((question) => ({ question, paragraph: 0, answers: [] })),
    }
