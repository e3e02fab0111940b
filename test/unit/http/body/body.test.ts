import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { InvalidRequest } from '../../../../src/errors/errors.ts'
import { readBody } from '../../../../src/http/body/body.ts'

test('a body whose connection is gone before it is read was cut short', async () => {
  const outcome = Promise.withResolvers<unknown>()
  const server = createServer((request, response) => {
    request.on('error', () => undefined)
    request.once('close', () => {
      const rules = { maxBytes: 1024, schema: {}, isIgnored: false, kind: 'json' } as const
      readBody(request as never, response as never, rules, () => undefined).then(
        outcome.resolve,
        outcome.resolve,
      )
    })
    socket.resetAndDestroy()
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n',
  )
  const error = await outcome.promise
  expect(error).toBeInstanceOf(InvalidRequest)
  expect(error).toMatchObject({ violations: [{ pointer: '', detail: 'was cut short' }] })
})
