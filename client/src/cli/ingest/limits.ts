/** What the contract says of a text and a key; a test compares. Past them nothing need be sent. */
export const limits = { textLength: 1_048_576, keyLength: 256 }

/** The most bytes of a character in UTF-8. */
export const bytesOfCharacter = 4
