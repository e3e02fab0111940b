import { expect } from 'vitest'
import { type Answer, answerOf, expectAnswer, ok } from './answer.ts'

type Page = { data: unknown[]; nextCursor: string | null }
type Paging = { limit: number; cursor?: string }

/** Follows a list to its end: each page is full, the last has no cursor, and all is as expected. */
export async function expectList(
  read: (paging: Paging) => Parameters<typeof answerOf>[0],
  limit: number,
  expected: unknown[],
): Promise<void> {
  let cursor: string | undefined
  for (let start = 0; start === 0 || start < expected.length; start += limit) {
    const answer: Answer = await answerOf(read({ limit, ...(cursor && { cursor }) }))
    const { nextCursor } = answer.body as Page
    const isLast = start + limit >= expected.length
    expectAnswer(answer, ok({ data: expected.slice(start, start + limit), nextCursor }))
    expect(nextCursor === null).toBe(isLast)
    cursor = nextCursor ?? undefined
  }
}
