/** What breaks those who keep to the contract before, what only some tools feel, and what is new. */
export type Kind = 'breaks' | 'warns' | 'adds'

/** A change from one contract to another: its place, and what was and is there. */
export type Change = { kind: Kind; text: string }

export const breaks = (text: string): Change => ({ kind: 'breaks', text })
export const warns = (text: string): Change => ({ kind: 'warns', text })
export const adds = (text: string): Change => ({ kind: 'adds', text })
