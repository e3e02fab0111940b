/** `breaks` callers of the contract before, `warns` of an effect on some tools, or `adds` something. */
export type Kind = 'breaks' | 'warns' | 'adds'

/** A change from one contract to another: its place, and what was and is there. */
export type Change = { kind: Kind; text: string }

export const breaks = (text: string): Change => ({ kind: 'breaks', text })
export const warns = (text: string): Change => ({ kind: 'warns', text })
export const adds = (text: string): Change => ({ kind: 'adds', text })
