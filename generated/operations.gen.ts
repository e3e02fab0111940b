// Generated from openapi.yaml by `npm run generate`. Do not edit.

import type * as contract from './types.gen.ts'

/** Every operation by its operationId. `defaults` names what the server fills in when absent, `events` what a stream is of. */
export type Operations = {
  listAgents: {
    data: contract.ListAgentsData
    responses: contract.ListAgentsResponses
    events: never
    defaults: { body: never; query: 'limit' }
  }
  createAgent: {
    data: contract.CreateAgentData
    responses: contract.CreateAgentResponses
    events: never
    defaults: { body: 'modelName' | 'temperature' | 'visibility' | 'systemPrompt' | 'userPrompt' | 'promptType' | 'promptTemplate'; query: never }
  }
  getAgent: {
    data: contract.GetAgentData
    responses: contract.GetAgentResponses
    events: never
    defaults: { body: never; query: never }
  }
  deleteAgent: {
    data: contract.DeleteAgentData
    responses: contract.DeleteAgentResponses
    events: never
    defaults: { body: never; query: never }
  }
  updateAgent: {
    data: contract.UpdateAgentData
    responses: contract.UpdateAgentResponses
    events: never
    defaults: { body: never; query: never }
  }
  queryAgent: {
    data: contract.QueryAgentData
    responses: contract.QueryAgentResponses
    events: contract.AgentEvent
    defaults: { body: 'streaming' | 'store'; query: never }
  }
  getKnowledge: {
    data: contract.GetKnowledgeData
    responses: contract.GetKnowledgeResponses
    events: never
    defaults: { body: never; query: never }
  }
  putKnowledge: {
    data: contract.PutKnowledgeData
    responses: contract.PutKnowledgeResponses
    events: never
    defaults: { body: 'topK' | 'mode' | 'noAnswer' | 'overrides'; query: never }
  }
  listConversations: {
    data: contract.ListConversationsData
    responses: contract.ListConversationsResponses
    events: never
    defaults: { body: never; query: 'limit' }
  }
  deleteConversations: {
    data: contract.DeleteConversationsData
    responses: contract.DeleteConversationsResponses
    events: never
    defaults: { body: never; query: never }
  }
  getConversation: {
    data: contract.GetConversationData
    responses: contract.GetConversationResponses
    events: never
    defaults: { body: never; query: never }
  }
  deleteConversation: {
    data: contract.DeleteConversationData
    responses: contract.DeleteConversationResponses
    events: never
    defaults: { body: never; query: never }
  }
  listDatastores: {
    data: contract.ListDatastoresData
    responses: contract.ListDatastoresResponses
    events: never
    defaults: { body: never; query: 'limit' }
  }
  createDatastore: {
    data: contract.CreateDatastoreData
    responses: contract.CreateDatastoreResponses
    events: never
    defaults: { body: 'fragmentLength'; query: never }
  }
  getDatastore: {
    data: contract.GetDatastoreData
    responses: contract.GetDatastoreResponses
    events: never
    defaults: { body: never; query: never }
  }
  deleteDatastore: {
    data: contract.DeleteDatastoreData
    responses: contract.DeleteDatastoreResponses
    events: never
    defaults: { body: never; query: never }
  }
  updateDatastore: {
    data: contract.UpdateDatastoreData
    responses: contract.UpdateDatastoreResponses
    events: never
    defaults: { body: never; query: never }
  }
  upsertDocuments: {
    data: contract.UpsertDocumentsData
    responses: contract.UpsertDocumentsResponses
    events: never
    defaults: { body: never; query: never }
  }
  updateDatasource: {
    data: contract.UpdateDatasourceData
    responses: contract.UpdateDatasourceResponses
    events: never
    defaults: { body: never; query: never }
  }
  queryDatastore: {
    data: contract.QueryDatastoreData
    responses: contract.QueryDatastoreResponses
    events: never
    defaults: { body: 'topK' | 'mode' | 'distinct'; query: never }
  }
  listDatasources: {
    data: contract.ListDatasourcesData
    responses: contract.ListDatasourcesResponses
    events: never
    defaults: { body: never; query: 'limit' }
  }
  deleteDatasources: {
    data: contract.DeleteDatasourcesData
    responses: contract.DeleteDatasourcesResponses
    events: never
    defaults: { body: never; query: never }
  }
  getDatasource: {
    data: contract.GetDatasourceData
    responses: contract.GetDatasourceResponses
    events: never
    defaults: { body: never; query: never }
  }
  deleteDatasource: {
    data: contract.DeleteDatasourceData
    responses: contract.DeleteDatasourceResponses
    events: never
    defaults: { body: never; query: never }
  }
  patchDatasource: {
    data: contract.PatchDatasourceData
    responses: contract.PatchDatasourceResponses
    events: never
    defaults: { body: never; query: never }
  }
  putDocuments: {
    data: contract.PutDocumentsData
    responses: contract.PutDocumentsResponses
    events: never
    defaults: { body: never; query: never }
  }
  getDocument: {
    data: contract.GetDocumentData
    responses: contract.GetDocumentResponses
    events: never
    defaults: { body: never; query: never }
  }
  putDocument: {
    data: contract.PutDocumentData
    responses: contract.PutDocumentResponses
    events: never
    defaults: { body: never; query: never }
  }
  deleteDocument: {
    data: contract.DeleteDocumentData
    responses: contract.DeleteDocumentResponses
    events: never
    defaults: { body: never; query: never }
  }
  uploadFile: {
    data: contract.UploadFileData
    responses: contract.UploadFileResponses
    events: never
    defaults: { body: never; query: never }
  }
  putFile: {
    data: contract.PutFileData
    responses: contract.PutFileResponses
    events: never
    defaults: { body: never; query: never }
  }
  listKeys: {
    data: contract.ListKeysData
    responses: contract.ListKeysResponses
    events: never
    defaults: { body: never; query: 'limit' }
  }
  createKey: {
    data: contract.CreateKeyData
    responses: contract.CreateKeyResponses
    events: never
    defaults: { body: never; query: never }
  }
  getCurrentKey: {
    data: contract.GetCurrentKeyData
    responses: contract.GetCurrentKeyResponses
    events: never
    defaults: { body: never; query: never }
  }
  getKey: {
    data: contract.GetKeyData
    responses: contract.GetKeyResponses
    events: never
    defaults: { body: never; query: never }
  }
  revokeKey: {
    data: contract.RevokeKeyData
    responses: contract.RevokeKeyResponses
    events: never
    defaults: { body: never; query: never }
  }
  getLiveness: {
    data: contract.GetLivenessData
    responses: contract.GetLivenessResponses
    events: never
    defaults: { body: never; query: never }
  }
  getReadiness: {
    data: contract.GetReadinessData
    responses: contract.GetReadinessResponses
    events: never
    defaults: { body: never; query: never }
  }
  getMetrics: {
    data: contract.GetMetricsData
    responses: contract.GetMetricsResponses
    events: never
    defaults: { body: never; query: never }
  }
}
