import { expect, test } from 'vitest'
import { StorageFull } from '../../../../src/errors/errors.ts'
import { translated } from '../../../../src/store/lance/faults.ts'

test('a full disk is told apart, and a failure carries no path and no value', async () => {
  const failing = (message: string) => translated(Promise.reject(new Error(message)))
  await expect(failing('LanceError(IO): No space left on device (os error 28)')).rejects.toThrow(
    StorageFull,
  )
  const message =
    "Invalid user input: custom_ids = 'secret' in /var/data/agents.lance/data/1.lance, src/io.rs:1"
  await expect(failing(message)).rejects.toThrow(/^The store failed: Invalid user input: [^/']*$/)
})
