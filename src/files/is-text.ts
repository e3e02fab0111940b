/** No text holds these but by mistake; a form feed and an escape may be meant. */
const control = /[\0-\x08\x0e-\x1a\x1c-\x1f]/

export const isControl = (character: string): boolean => control.test(character)

/** Logs go back by a character to write over it, and a text of DOS ends with a sign. */
const notInText = /[\0-\x07\x0e-\x19\x1c-\x1f]|\x1a[^\x1a]/

export const isText = (text: string): boolean => !notInText.test(text)

/** Whether bytes may be a text of an encoding in which ASCII is itself. */
export const mayBeText = (bytes: Uint8Array): boolean =>
  isText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'))
