/** A document or a query: what the judgements know it by, and what it says. */
export type Text = { number: string; text: string }

/** Gains by query and document, 0 where it is of no use. */
export type Judgements = Map<string, Map<string, number>>

/** A collection to measure retrieval by. */
export type Collection = { documents: Text[]; queries: Text[]; judgements: Judgements }
