// Generated from openapi.yaml by `npm run generate`. Do not edit.

import * as sdk from '../../generated/sdk.gen.ts'
import type * as contract from '../../generated/types.gen.ts'
import type { Call, PagedCall } from './call.ts'
import { bytesOf, type FileForm, type FileSource, formOf } from './files.ts'
import type { QueryOf } from './query.ts'
import { type CallOptions, Requests } from './requests.ts'

/** The operations of the contract: parts of the path, then the body, then the query, then options. */
export class Methods extends Requests {
  /**
   * List agents
   *
   * The agents of the workspace, oldest first. Follow `nextCursor` until it is null.
   *
   * Needs the scope `agents:read`.
   */
  listAgents(query?: QueryOf<NonNullable<contract.ListAgentsData['query']>>, options?: CallOptions<contract.ListAgentsData>): PagedCall<contract.ListAgentsResponse> {
    return this.sendPaged({ sender: sdk.listAgents, repeat: 'always', query }, options)
  }

  /**
   * Create an agent
   *
   * Creates an agent with a new id. `name` and `description` are required; every other member has
   * a default. Change it later with `updateAgent`.
   *
   * Needs the scope `agents:write`.
   */
  createAgent(body: contract.CreateAgentData['body'], options?: CallOptions<contract.CreateAgentData>): Call<contract.CreateAgentResponse> {
    return this.send({ sender: sdk.createAgent, repeat: 'never', body }, options)
  }

  /**
   * Get an agent
   *
   * The agent as it is now, with the `ETag` that the `If-Match` of an update or a delete takes.
   *
   * Needs the scope `agents:read`.
   */
  getAgent(id: string, options?: CallOptions<contract.GetAgentData>): Call<contract.GetAgentResponse> {
    return this.send({ sender: sdk.getAgent, repeat: 'always', path: { id } }, options)
  }

  /**
   * Delete an agent
   *
   * Answers with the agent as it was. The body may be absent, `{}` or any JSON object; it
   * changes nothing. A second delete is 404.
   *
   * Needs the scope `agents:write`.
   */
  deleteAgent(id: string, options?: CallOptions<contract.DeleteAgentData>): Call<contract.DeleteAgentResponse> {
    return this.send({ sender: sdk.deleteAgent, repeat: 'always', path: { id } }, options)
  }

  /**
   * Update an agent
   *
   * `description` is required; every other member is optional, and one left out keeps its value.
   * With `If-Match` the update happens only if the agent has not changed since that `ETag`.
   *
   * An agent can be got, changed and sent back: its `id` may stand in the body, and must be that
   * of the path. The body is no JSON Merge Patch (RFC 7396), where null removes a member, because
   * an agent always has all of its members.
   *
   * Needs the scope `agents:write`.
   */
  updateAgent(id: string, body: contract.UpdateAgentData['body'], options?: CallOptions<contract.UpdateAgentData>): Call<contract.UpdateAgentResponse> {
    return this.send({ sender: sdk.updateAgent, repeat: 'If-Match', path: { id }, body }, options)
  }

  /**
   * Ask an agent
   *
   * Answers a question from the datastores of the agent's knowledge. Where the server has no chat
   * model, the answer is one passage of a document, word for word (`extractive-1`): a paragraph
   * with its heading, a list, a block of code, or a row of a table with the table's head. Every
   * citation can be checked: `answer.slice(start, end)` is what is claimed, and `quote` is an exact
   * span of the text of its datasource. Where nothing stored seems to cover the question, `answered`
   * is false, `answer` is the agent's `noAnswer`, and no model is asked for an
   * answer; in a conversation it has reworded the question.
   *
   * With `streaming: true` the answer comes as events: `sources` first, then `answer` and
   * `citation`, then exactly one `done` or `error`. What goes wrong before the first event is
   * answered as a `Problem`. A comment comes every ten seconds in which nothing else does. To
   * stop an answer, close the connection.
   *
   * Needs the scope `agents:query`. A key without `agents:read` reaches public agents only.
   * `systemPrompt` and `userPrompt` in the body need `agents:write` too. So do `modelName`,
   * `temperature`, `topK` and `minScore`, unless they are among the `overrides` of the agent's knowledge.
   */
  queryAgent(id: string, body: Omit<contract.QueryAgentData['body'], 'streaming'>, options?: CallOptions<contract.QueryAgentData>): Call<contract.QueryAgentResponse> {
    return this.send({ sender: sdk.queryAgent, repeat: 'never', path: { id }, body }, options)
  }

  /**
   * Get the knowledge of an agent
   *
   * Which datastores the agent answers from, and how it looks into them. An agent has an empty
   * knowledge until it is given one. A datastore that was deleted is left out, and the `ETag` changes.
   *
   * Needs the scope `agents:read`.
   */
  getKnowledge(id: string, options?: CallOptions<contract.GetKnowledgeData>): Call<contract.GetKnowledgeResponse> {
    return this.send({ sender: sdk.getKnowledge, repeat: 'always', path: { id } }, options)
  }

  /**
   * Replace the knowledge of an agent
   *
   * Replaces it whole: a member left out gets its default. Every datastore must be one of the
   * agent's workspace. With `If-Match` it happens only if the knowledge has not changed since
   * that `ETag`.
   *
   * Needs the scope `agents:write`.
   */
  putKnowledge(id: string, body: contract.PutKnowledgeData['body'], options?: CallOptions<contract.PutKnowledgeData>): Call<contract.PutKnowledgeResponse> {
    return this.send({ sender: sdk.putKnowledge, repeat: 'always', path: { id }, body }, options)
  }

  /**
   * List the conversations of an agent
   *
   * Newest first, by when they began, without their messages. Follow `nextCursor` until it is
   * null. Use `visitorId` to find those of one visitor.
   *
   * Needs the scope `agents:read`.
   */
  listConversations(id: string, query?: QueryOf<NonNullable<contract.ListConversationsData['query']>>, options?: CallOptions<contract.ListConversationsData>): PagedCall<contract.ListConversationsResponse> {
    return this.sendPaged({ sender: sdk.listConversations, repeat: 'always', path: { id }, query }, options)
  }

  /**
   * Delete the conversations of a visitor
   *
   * Deletes every conversation that this visitor had with the agent, and answers how many they
   * were. Without a `visitorId` it is 400, so that nothing deletes those of all by accident. A
   * question of the visitor that is being answered meanwhile is 404 and not stored. Where several
   * servers share a store, one that begins a conversation at another server may stay.
   *
   * Use it when somebody asks for their data to be erased: once for each agent. What is deleted is
   * off the disk after a time that the server sets (24 hours unless it is set otherwise).
   *
   * Needs the scope `agents:write`.
   */
  deleteConversations(id: string, query: QueryOf<NonNullable<contract.DeleteConversationsData['query']>>, options?: CallOptions<contract.DeleteConversationsData>): Call<contract.DeleteConversationsResponse> {
    return this.send({ sender: sdk.deleteConversations, repeat: 'always', path: { id }, query }, options)
  }

  /**
   * Get a conversation
   *
   * The conversation with its messages, oldest first, each as it was given: what a datasource
   * says later changes none of them.
   *
   * Needs the scope `agents:read`.
   */
  getConversation(id: string, options?: CallOptions<contract.GetConversationData>): Call<contract.GetConversationResponse> {
    return this.send({ sender: sdk.getConversation, repeat: 'always', path: { id } }, options)
  }

  /**
   * Delete a conversation
   *
   * Deletes the conversation with its messages and answers with it as it was. A second delete is
   * 404. Conversations are also deleted with their agent, and when their last message is older
   * than the server keeps them (90 days unless it is set otherwise).
   *
   * Needs the scope `agents:write`.
   */
  deleteConversation(id: string, options?: CallOptions<contract.DeleteConversationData>): Call<contract.DeleteConversationResponse> {
    return this.send({ sender: sdk.deleteConversation, repeat: 'always', path: { id } }, options)
  }

  /**
   * List datastores
   *
   * The datastores of the workspace, oldest first. Follow `nextCursor` until it is null.
   *
   * Needs the scope `datastores:read`.
   */
  listDatastores(query?: QueryOf<NonNullable<contract.ListDatastoresData['query']>>, options?: CallOptions<contract.ListDatastoresData>): PagedCall<contract.ListDatastoresResponse> {
    return this.sendPaged({ sender: sdk.listDatastores, repeat: 'always', query }, options)
  }

  /**
   * Create a datastore
   *
   * Creates an empty datastore, bound to the embedder that the server runs with. Fill it with
   * `upsertDocuments`, then ask with `queryDatastore`.
   *
   * Needs the scope `datastores:write`.
   */
  createDatastore(body: contract.CreateDatastoreData['body'], options?: CallOptions<contract.CreateDatastoreData>): Call<contract.CreateDatastoreResponse> {
    return this.send({ sender: sdk.createDatastore, repeat: 'never', body }, options)
  }

  /**
   * Get a datastore
   *
   * The datastore and how much it holds now.
   *
   * Needs the scope `datastores:read`.
   */
  getDatastore(id: string, options?: CallOptions<contract.GetDatastoreData>): Call<contract.GetDatastoreResponse> {
    return this.send({ sender: sdk.getDatastore, repeat: 'always', path: { id } }, options)
  }

  /**
   * Delete a datastore
   *
   * Deletes the datastore with everything in it and answers with it as it was. A second delete
   * is 404, and so is every later use of its id.
   *
   * Needs the scope `datastores:write`.
   */
  deleteDatastore(id: string, options?: CallOptions<contract.DeleteDatastoreData>): Call<contract.DeleteDatastoreResponse> {
    return this.send({ sender: sdk.deleteDatastore, repeat: 'always', path: { id } }, options)
  }

  /**
   * Rename or describe a datastore
   *
   * Changes its name, its description or both: its id, its documents and the agents that answer from it
   * stay. Names need not differ.
   *
   * Needs the scope `datastores:write`.
   */
  updateDatastore(id: string, body: contract.UpdateDatastoreData['body'], options?: CallOptions<contract.UpdateDatastoreData>): Call<contract.UpdateDatastoreResponse> {
    return this.send({ sender: sdk.updateDatastore, repeat: 'never', path: { id }, body }, options)
  }

  /**
   * Upsert documents into a datastore
   *
   * Creates one datasource per document and answers with their ids, in the order sent. All or
   * nothing: either every document is stored or none is. When the answer is here the documents
   * are durable and the next query sees them. Ids are assigned by the service; an empty list
   * creates nothing. Send an `Idempotency-Key` to repeat it without storing anything twice. To
   * replace a document later, keep its id and call `updateDatasource`.
   *
   * Needs the scope `datastores:write`.
   */
  upsertDocuments(datastoreId: string, body: contract.UpsertDocumentsData['body'], options?: CallOptions<contract.UpsertDocumentsData>): Call<contract.UpsertDocumentsResponse> {
    return this.send({ sender: sdk.upsertDocuments, repeat: 'Idempotency-Key', path: { datastoreId }, body }, options)
  }

  /**
   * Update a datasource in a datastore
   *
   * Replaces the text of a datasource. A `name` or `metadata` left out keeps its value;
   * `metadata: null` clears it and an object replaces it whole. It is one atomic step: a query
   * at any moment sees the old fragments or the new ones, never both and never none.
   *
   * Needs the scope `datastores:write`.
   */
  updateDatasource(datastoreId: string, body: contract.UpdateDatasourceData['body'], options?: CallOptions<contract.UpdateDatasourceData>): Call<contract.UpdateDatasourceResponse> {
    return this.send({ sender: sdk.updateDatasource, repeat: 'never', path: { datastoreId }, body }, options)
  }

  /**
   * Query a datastore
   *
   * The fragments most similar to the query, best first, at most `topK`. Use their texts as they
   * are, or as the sources of an answer that a language model words. Filters are applied
   * before the search, so that `topK` fragments come back whenever that many match (unless
   * `minScore` asks for fewer). In `hybrid` and `keyword` a fragment of score 0, which has nothing
   * of the query, is left out, so an answer may be shorter or empty. Fragments of equal score stand in the order of their
   * datasource's id, then of their place in it. A document that was stored, replaced or deleted
   * before the query came is found as it is now; scores by words move a little until the index
   * has caught up with it.
   *
   * A large datastore is searched by indexes, which are made and kept up to date in the
   * background. Of the fragments whose vectors are nearest, fewer than one in a hundred is missed
   * (one in twenty for queries that are like nothing stored), and which one changes when their
   * index is made anew.
   *
   * Needs the scope `datastores:read`.
   */
  queryDatastore(id: string, body: contract.QueryDatastoreData['body'], options?: CallOptions<contract.QueryDatastoreData>): Call<contract.QueryDatastoreResponse> {
    return this.send({ sender: sdk.queryDatastore, repeat: 'always', path: { id }, body }, options)
  }

  /**
   * List the datasources of a datastore
   *
   * Oldest first, without their texts. Follow `nextCursor` until it is null. Use `source` to find
   * what was made from one place, `filter` to find by metadata; of both, both must match.
   *
   * Needs the scope `datastores:read`.
   */
  listDatasources(id: string, query?: QueryOf<NonNullable<contract.ListDatasourcesData['query']>>, options?: CallOptions<contract.ListDatasourcesData>): PagedCall<contract.ListDatasourcesResponse> {
    return this.sendPaged({ sender: sdk.listDatasources, repeat: 'always', path: { id }, query }, options)
  }

  /**
   * Delete the datasources that a filter matches
   *
   * Deletes every datasource that matches, in one step, and answers how many they were. Without a
   * filter it is 400, so that nothing empties a datastore by accident. What is stored or changed
   * meanwhile may be deleted or not.
   *
   * Needs the scope `datastores:write`.
   */
  deleteDatasources(id: string, query: QueryOf<NonNullable<contract.DeleteDatasourcesData['query']>>, options?: CallOptions<contract.DeleteDatasourcesData>): Call<contract.DeleteDatasourcesResponse> {
    return this.send({ sender: sdk.deleteDatasources, repeat: 'always', path: { id }, query }, options)
  }

  /**
   * Get a datasource
   *
   * The datasource with its whole text.
   *
   * Needs the scope `datastores:read`.
   */
  getDatasource(id: string, datasourceId: string, options?: CallOptions<contract.GetDatasourceData>): Call<contract.GetDatasourceResponse> {
    return this.send({ sender: sdk.getDatasource, repeat: 'always', path: { id, datasourceId } }, options)
  }

  /**
   * Delete a datasource
   *
   * Deletes the datasource with all its fragments and answers with it as it was. A second delete
   * is 404.
   *
   * Needs the scope `datastores:write`.
   */
  deleteDatasource(id: string, datasourceId: string, options?: CallOptions<contract.DeleteDatasourceData>): Call<contract.DeleteDatasourceResponse> {
    return this.send({ sender: sdk.deleteDatasource, repeat: 'always', path: { id, datasourceId } }, options)
  }

  /**
   * Change the name or metadata of a datasource
   *
   * Changes what is sent and keeps the rest, the text above all; no embedding provider is called.
   * `metadata` is a JSON Merge Patch (RFC 7396): its members are set or added, those that are null
   * are removed, objects in it are merged in the same way, lists are replaced whole, and null in
   * the place of all of it clears the metadata. It is one atomic step: of patches at the same
   * time each is done.
   *
   * Needs the scope `datastores:write`.
   */
  patchDatasource(id: string, datasourceId: string, body: contract.PatchDatasourceData['body'], options?: CallOptions<contract.PatchDatasourceData>): Call<contract.PatchDatasourceResponse> {
    return this.send({ sender: sdk.patchDatasource, repeat: 'never', path: { id, datasourceId }, body }, options)
  }

  /**
   * Put many documents under keys of your own
   *
   * Puts each document under its key as `putDocument` does it, and tells of each, in the order sent,
   * whether it is new. Documents of other keys stay as they are. All or nothing: either every document
   * is put or none is, in one atomic step. When the answer is here they are durable and the next query
   * sees them. Sent again it stores nothing twice. A key that stands twice in a request is 400.
   *
   * Needs the scope `datastores:write`.
   */
  putDocuments(id: string, body: contract.PutDocumentsData['body'], options?: CallOptions<contract.PutDocumentsData>): Call<contract.PutDocumentsResponse> {
    return this.send({ sender: sdk.putDocuments, repeat: 'always', path: { id }, body }, options)
  }

  /**
   * Get the document of a key
   *
   * The datasource with its whole text, and the `ETag` that the `If-Match` of `putDocument` and
   * `deleteDocument` takes.
   *
   * Needs the scope `datastores:read`.
   */
  getDocument(id: string, key: string, options?: CallOptions<contract.GetDocumentData>): Call<contract.GetDocumentResponse> {
    return this.send({ sender: sdk.getDocument, repeat: 'always', path: { id, key } }, options)
  }

  /**
   * Put a document under a key of your own
   *
   * Creates the datasource of that key (201), or replaces it whole (200): a `name` or `metadata`
   * left out is empty from then on. It is one atomic step, also when many put the same key at the
   * same time: a query at any moment sees one of their documents, whole, and a key never has two.
   * Text that has not changed is not embedded again. When the answer is here the document is
   * durable and the next query sees it. With `If-None-Match: *` it is created, or it is 412.
   *
   * A key lives in its datastore. The datasource has an `id` too, the same for the same key, and
   * every operation on datasources takes it.
   *
   * Needs the scope `datastores:write`.
   */
  putDocument(id: string, key: string, body: contract.PutDocumentData['body'], options?: CallOptions<contract.PutDocumentData>): Call<contract.PutDocumentResponse> {
    return this.send({ sender: sdk.putDocument, repeat: 'always', path: { id, key }, body }, options)
  }

  /**
   * Delete the document of a key
   *
   * Deletes the datasource with all its fragments and answers with it as it was. A second delete
   * is 404.
   *
   * Needs the scope `datastores:write`.
   */
  deleteDocument(id: string, key: string, options?: CallOptions<contract.DeleteDocumentData>): Call<contract.DeleteDocumentResponse> {
    return this.send({ sender: sdk.deleteDocument, repeat: 'always', path: { id, key } }, options)
  }

  /**
   * Upload a file
   *
   * Adds the text of a file as a datasource: PDF, DOCX, PPTX, XLSX, ODT, ODS, EPUB, HTML, EML, MBOX,
   * MHTML, ICS, VCF, RSS, Atom, IPYNB, VTT, SRT, Markdown, CSV, JSON or any other plain text. Its content decides
   * the kind. Its name and media type decide only where that is unclear: HTML or Markdown, mail or
   * text. Text is in the `charset` of the media type, of the file's part in a form, where there is
   * one; else it is UTF-8, UTF-16, UTF-32, what HTML or XML says of itself, or the encoding that its
   * letters are most likely in; `encoding` tells it. The text is kept, the file is not.
   *
   * Headings become those of Markdown, and tables of DOCX, HTML and the like its tables, so that
   * they are cut and found alike. Pages of a PDF, slides of a PPTX and sheets of an XLSX or ODS are
   * told where their text is found and quoted; a fragment runs over the end of one only with a
   * sentence. What a reader does not see is left out: hidden text, hidden sheets, deletions that are
   * tracked, comments, and what HTML strikes out. Pictures are not read: a scan without text is 422 `no_text`, and
   * `pagesWithoutText` tells which pages have none where others have.
   *
   * Send it as `multipart/form-data` with the part `file`, as it is: a part in Base64 or
   * quoted-printable is 400. `putFile` takes it without a form. With a `key` it is put under that key as
   * `putDocument` does it, in one atomic step: 201 where it is new, 200 where it replaces one. Without
   * one each upload is a new datasource. When the answer is here it is durable and the next query sees
   * it.
   *
   * Needs the scope `datastores:write`.
   */
  uploadFile(id: string, body: FileForm<contract.UploadFileData['body']>, query?: QueryOf<NonNullable<contract.UploadFileData['query']>>, options?: CallOptions<contract.UploadFileData>): Call<contract.UploadFileResponse> {
    return this.send({ sender: sdk.uploadFile, repeat: 'never', path: { id }, body: (signal) => formOf(body, signal), query }, options)
  }

  /**
   * Put a file under a key of your own
   *
   * Takes the file as the body itself, of the kinds that `uploadFile` reads, and puts its text under the
   * key, as `putDocument` does it. The key counts as the file's name, and a `charset` beside the media type
   * as that of its text. `getDocument` and `deleteDocument` take the same key.
   *
   * Needs the scope `datastores:write`.
   */
  putFile(id: string, key: string, body: FileSource, query?: QueryOf<NonNullable<contract.PutFileData['query']>>, options?: CallOptions<contract.PutFileData>): Call<contract.PutFileResponse> {
    return this.send({ sender: sdk.putFile, repeat: 'always', path: { id, key }, body: (signal) => bytesOf(body, signal), query }, options)
  }

  /**
   * List keys
   *
   * The keys of the workspace, or of every workspace for a key of `default`; oldest first, also
   * those that expired or were revoked. Follow `nextCursor` until it is null.
   *
   * Needs the scope `keys:admin`.
   */
  listKeys(query?: QueryOf<NonNullable<contract.ListKeysData['query']>>, options?: CallOptions<contract.ListKeysData>): PagedCall<contract.ListKeysResponse> {
    return this.sendPaged({ sender: sdk.listKeys, repeat: 'always', query }, options)
  }

  /**
   * Create a key
   *
   * The answer holds the key itself, this once: only its hash is kept. A key gives no scope that
   * it does not have itself, and makes keys for its own workspace; one of the workspace `default`
   * makes them for any. A workspace exists with its first key.
   *
   * Needs the scope `keys:admin`.
   */
  createKey(body: contract.CreateKeyData['body'], options?: CallOptions<contract.CreateKeyData>): Call<contract.CreateKeyResponse> {
    return this.send({ sender: sdk.createKey, repeat: 'never', body }, options)
  }

  /**
   * Get the key of this request
   *
   * What the key in `Authorization` may do, in which workspace, and until when. Any key may ask.
   * `getKey` shows other keys; it needs `keys:admin`.
   */
  getCurrentKey(options?: CallOptions<contract.GetCurrentKeyData>): Call<contract.GetCurrentKeyResponse> {
    return this.send({ sender: sdk.getCurrentKey, repeat: 'always' }, options)
  }

  /**
   * Get a key
   *
   * What is known of the key: its scopes, when it was last used, whether it was revoked. The key
   * itself is not shown again. Another workspace's is 404, except for a key of `default`.
   *
   * Needs the scope `keys:admin`.
   */
  getKey(id: string, options?: CallOptions<contract.GetKeyData>): Call<contract.GetKeyResponse> {
    return this.send({ sender: sdk.getKey, repeat: 'always', path: { id } }, options)
  }

  /**
   * Revoke a key
   *
   * Once it is answered this server takes the key no more, and every other server of the store
   * within five seconds. The key stays in the list; revoking it again changes nothing. Another
   * workspace's is 404, except for a key of `default`.
   *
   * Needs the scope `keys:admin`.
   */
  revokeKey(id: string, options?: CallOptions<contract.RevokeKeyData>): Call<contract.RevokeKeyResponse> {
    return this.send({ sender: sdk.revokeKey, repeat: 'always', path: { id } }, options)
  }

  /**
   * Whether the server runs
   *
   * For supervisors: no answer means that the server should be restarted. It is 200 also while
   * the store cannot be written to, because queries go on; `getReadiness` tells. It needs no key
   * and takes any query parameter.
   */
  getLiveness(options?: CallOptions<contract.GetLivenessData>): Call<contract.GetLivenessResponse> {
    return this.send({ sender: sdk.getLiveness, repeat: 'always' }, options)
  }

  /**
   * Whether the server can work
   *
   * For load balancers: 200 while the store can be read and, in a directory, written to, 503 while it cannot:
   * because its file system is read-only, or so full that not even deletes work, or because its
   * disk failed, which only a restart ends. Queries may still be answered then. On a full disk
   * that still takes deletes it is 200. It needs no key and takes any query parameter.
   */
  getReadiness(options?: CallOptions<contract.GetReadinessData>): Call<contract.GetReadinessResponse> {
    return this.send({ sender: sdk.getReadiness, repeat: 'always' }, options)
  }

  /**
   * Get the metrics of the server
   *
   * The metrics of this server, of all workspaces together, in the text format of Prometheus, version
   * 0.0.4. Counters and histograms begin at its start. It is answered while other requests are refused with 503, too.
   *
   * - `http_request_duration_seconds`, a histogram: how long requests took. `operation` is the
   *   `operationId`, `mcp`, or `none` for pages, unknown paths and methods. `status` is that of the
   *   answer, or `none` where the connection ended before the answer did. A stream is 200 once it has
   *   begun. Requests that are refused before they are read whole are not counted.
   * - `http_requests_in_flight`, a gauge: the requests that are worked on now. `kind` is `writes`,
   *   `queries` or `questions`; of each kind only so many are let in.
   * - `server_info`, 1: `server` is the name of the server. It is there only where several servers may
   *   share a store, or where the server was given a name.
   * - `process_…` and `nodejs_…`: processor time, memory, garbage collection and delays of the process.
   *
   * No label holds anything that a caller sent. More metrics may come; these keep their meaning.
   * Where the store cannot be read, no key can be checked, and the answer is 503.
   *
   * Needs the scope `metrics:read`.
   */
  getMetrics(options?: CallOptions<contract.GetMetricsData>): Call<contract.GetMetricsResponse> {
    return this.send({ sender: sdk.getMetrics, repeat: 'always', parseAs: 'text' }, options)
  }
}
