import type { Metadata, UploadFile } from '../../generated/types.gen.ts'
import { maxLengths } from '../../generated/max-lengths.gen.ts'
import type { Datastores } from '../domain/datastores.ts'
import type { KeyedDocuments } from '../domain/keyed-documents.ts'
import type { Files } from '../files/files.ts'
import type { UploadedFile } from '../files/uploaded-file.ts'
import { toFileInfo, toSummary } from './datasources.ts'
import { locationOf, tagOf } from './documents.ts'
import type { Handlers } from './handler.ts'
import { preconditionOf } from './preconditions.ts'

export const fileHandlers = (datastores: Datastores, documents: KeyedDocuments, files: Files) =>
  ({
    uploadFile: async ({ path, query, body, caller, deadline }, reply) => {
      const datastore = await datastores.require(caller.workspace, path.id)
      const file = toFile(body)
      const read = await files.read(file, caller.workspace, deadline)
      const { key = query.key ?? null, name = nameOf(file), metadata = null } = body
      const document = { key, name, metadata, ...read }
      const { info, isNew } = await documents.put(datastore, document, () => true, deadline)
      const byId = `/datastores/${datastore.id}/datasources/${info.id}`
      const Location = key === null ? byId : locationOf(datastore, key)
      return reply(isNew ? 201 : 200, { ...toSummary(info), ...toFileInfo(read) }, { Location })
    },

    putFile: async ({ path, query, headers, body, caller, deadline }, reply) => {
      const { key } = path
      const file = { ...toFile({ file: body }), name: key }
      const datastore = await datastores.require(caller.workspace, path.id)
      const read = await files.read(file, caller.workspace, deadline)
      const { name = key } = query
      const document = { key, name, metadata: toMetadata(query.metadata), ...read }
      const precondition = preconditionOf(headers)
      const { info, isNew } = await documents.put(datastore, document, precondition, deadline)
      const answer = { ...toSummary(info), ...toFileInfo(read) }
      const location = { Location: locationOf(datastore, key) }
      return reply(isNew ? 201 : 200, answer, { ...tagOf(info), ...location })
    },
  }) satisfies Partial<Handlers>

/** The contract declares a part of a form. The body's reader has made a file of it. */
const toFile = ({ file }: UploadFile): UploadedFile => file as unknown as UploadedFile

/** The contract declares metadata as text. Validation has parsed it. */
const toMetadata = (text: string | undefined): Metadata => (text ?? null) as unknown as Metadata

/** The name that a form gives to data without a name. */
const nameless = 'blob'

const nameOf = ({ name }: UploadedFile): string =>
  name === nameless ? '' : [...name.toWellFormed()].slice(0, maxLengths.DatasourceName).join('')
