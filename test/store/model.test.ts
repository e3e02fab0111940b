import * as fc from 'fast-check'
import { test } from 'vitest'
import { Provider } from '../support/provider.ts'
import { seedFor } from '../support/random.ts'
import * as agents from './model/agents.ts'
import * as between from './model/between.ts'
import * as datastores from './model/datastores.ts'
import * as documents from './model/documents.ts'
import * as keys from './model/keys.ts'
import { directory, onAzurite, type Place } from './model/place.ts'
import { query } from './model/queries.ts'
import { race } from './model/race.ts'
import { together } from './model/together.ts'
import { type Step, World } from './model/world.ts'

const provider = await Provider.start()

const { MODEL_RUNS, MODEL_STEPS = '8', MODEL_PATH, MODEL_STORE } = process.env
const runs = Number(MODEL_RUNS ?? 1)
const steps = Number(MODEL_STEPS)
const seed = seedFor('MODEL', MODEL_RUNS !== undefined)

const weights: [number, fc.Arbitrary<Step>][] = [
  [2, agents.createAgent],
  [2, agents.getAgent],
  [1, agents.listAgents],
  [3, agents.updateAgent],
  [2, agents.updateAgentAtOnce],
  [2, agents.deleteAgent],
  [2, keys.createKey],
  [1, keys.useKey],
  [1, keys.listKeys],
  [2, keys.revokeKey],
  [2, datastores.createDatastore],
  [2, datastores.getDatastore],
  [1, datastores.listDatastores],
  [1, datastores.updateDatastore],
  [1, datastores.deleteDatastore],
  [8, documents.upsert],
  [4, documents.repeat],
  [8, documents.update],
  [4, documents.deleteDatasource],
  [3, documents.getDatasource],
  [3, documents.listDatasources],
  [8, query],
  [5, together],
  [4, race],
  [2, between.restart],
  [1, between.compact],
  [2, between.breakRule],
  [1, between.breakOff],
  [2, between.giveUp],
]
const step = fc.oneof(...weights.map(([weight, arbitrary]) => ({ weight, arbitrary })))

/** Longer than the server lets a request take. */
const maxStepMilliseconds = 90_000

/** @throws if it takes too long, so that the message names the step */
async function inTime(work: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  const late = () => reject(new Error(`This took more than ${maxStepMilliseconds} ms.`))
  const timer = setTimeout(late, maxStepMilliseconds)
  await Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

/** @throws with the steps that were done up to the one that went wrong */
async function run(sequence: Step[], place: Place): Promise<void> {
  const world = await World.open(provider, place)
  const done: string[] = []
  try {
    await datastores.makeShelf(world, 0, 'first')
    await datastores.makeShelf(world, 1, 'second')
    for (const one of sequence) {
      done.push(`${done.length + 1}. ${one}`)
      await inTime(one.run(world))
    }
    done.push('the end')
    await inTime(between.expectAll(world))
    done.push('close')
    await inTime(world.close())
  } catch (cause) {
    const { message } = cause as Error
    throw new Error(`${message}\n\nafter these steps:\n${done.join('\n')}`, { cause })
  } finally {
    await inTime(world.close()).catch(() => undefined)
  }
}

test(
  `the service answers as a model of it: ${runs} runs of ${steps} steps`,
  async () => {
    const sequences = fc.array(step, { minLength: steps, maxLength: steps, size: 'max' })
    const newPlace = MODEL_STORE === 'azurite' ? await onAzurite() : directory
    const property = fc.asyncProperty(sequences, async (sequence) =>
      run(sequence, await newPlace()),
    )
    // What went wrong may hang on which of two writes came first, so that no smaller case is sought.
    const { errorInstance, failed, counterexamplePath } = await fc.check(property, {
      seed,
      numRuns: runs,
      endOnFailure: true,
      ...(MODEL_PATH && { path: MODEL_PATH }),
    })
    if (!failed) return
    const way = `MODEL_SEED=${seed} MODEL_PATH=${counterexamplePath}`
    throw new Error(`Repeat with ${way}\n\n${(errorInstance as Error).message}`, {
      cause: errorInstance,
    })
  },
  // A commit to an object store takes several requests.
  30_000 + runs * steps * (MODEL_STORE ? 5_000 : 500),
)
