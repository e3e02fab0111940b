import { setupServer } from 'msw/node'
import { drive } from './drive.ts'
import { callOf } from './hey-api-call.ts'
import * as mock from './orval-msw.gen.ts'

/** Every operation of the mock that orval makes for msw; hey-api's zod schemas check its answers. */
const answered = mock.getQueryAgentMockHandler(() => {
  // It draws from the examples of a stream as well.
  for (;;) {
    const drawn = mock.getQueryAgentResponseMock()
    if ('conversationId' in drawn) return drawn
  }
})
const server = setupServer(answered, ...mock.getAgentsAndDatastoresMock())
server.listen({ onUnhandledFrame: 'error' })
await drive(callOf('http://mock.test'), { mock: true })
server.close()
