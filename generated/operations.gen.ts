// Generated from openapi.yaml by `npm run generate`. Do not edit.

import type * as contract from './types.gen.ts'

/** Every operation by its operationId. `defaults` names what the server fills in when absent. */
export type Operations = {
  listAgents: {
    data: contract.ListAgentsData
    responses: contract.ListAgentsResponses
    defaults: { body: never; query: 'limit' }
  }
  createAgent: {
    data: contract.CreateAgentData
    responses: contract.CreateAgentResponses
    defaults: { body: 'modelName' | 'temperature' | 'visibility' | 'systemPrompt' | 'userPrompt' | 'promptType' | 'promptTemplate'; query: never }
  }
  getAgent: {
    data: contract.GetAgentData
    responses: contract.GetAgentResponses
    defaults: { body: never; query: never }
  }
  deleteAgent: {
    data: contract.DeleteAgentData
    responses: contract.DeleteAgentResponses
    defaults: { body: never; query: never }
  }
  updateAgent: {
    data: contract.UpdateAgentData
    responses: contract.UpdateAgentResponses
    defaults: { body: never; query: never }
  }
  listDatastores: {
    data: contract.ListDatastoresData
    responses: contract.ListDatastoresResponses
    defaults: { body: never; query: 'limit' }
  }
  createDatastore: {
    data: contract.CreateDatastoreData
    responses: contract.CreateDatastoreResponses
    defaults: { body: never; query: never }
  }
  getDatastore: {
    data: contract.GetDatastoreData
    responses: contract.GetDatastoreResponses
    defaults: { body: never; query: never }
  }
  deleteDatastore: {
    data: contract.DeleteDatastoreData
    responses: contract.DeleteDatastoreResponses
    defaults: { body: never; query: never }
  }
  upsertDocuments: {
    data: contract.UpsertDocumentsData
    responses: contract.UpsertDocumentsResponses
    defaults: { body: never; query: never }
  }
  updateDatasource: {
    data: contract.UpdateDatasourceData
    responses: contract.UpdateDatasourceResponses
    defaults: { body: never; query: never }
  }
  queryDatastore: {
    data: contract.QueryDatastoreData
    responses: contract.QueryDatastoreResponses
    defaults: { body: 'topK' | 'mode' | 'distinct'; query: never }
  }
  listDatasources: {
    data: contract.ListDatasourcesData
    responses: contract.ListDatasourcesResponses
    defaults: { body: never; query: 'limit' }
  }
  deleteDatasources: {
    data: contract.DeleteDatasourcesData
    responses: contract.DeleteDatasourcesResponses
    defaults: { body: never; query: never }
  }
  getDatasource: {
    data: contract.GetDatasourceData
    responses: contract.GetDatasourceResponses
    defaults: { body: never; query: never }
  }
  deleteDatasource: {
    data: contract.DeleteDatasourceData
    responses: contract.DeleteDatasourceResponses
    defaults: { body: never; query: never }
  }
  patchDatasource: {
    data: contract.PatchDatasourceData
    responses: contract.PatchDatasourceResponses
    defaults: { body: never; query: never }
  }
  getDocument: {
    data: contract.GetDocumentData
    responses: contract.GetDocumentResponses
    defaults: { body: never; query: never }
  }
  putDocument: {
    data: contract.PutDocumentData
    responses: contract.PutDocumentResponses
    defaults: { body: never; query: never }
  }
  deleteDocument: {
    data: contract.DeleteDocumentData
    responses: contract.DeleteDocumentResponses
    defaults: { body: never; query: never }
  }
  listKeys: {
    data: contract.ListKeysData
    responses: contract.ListKeysResponses
    defaults: { body: never; query: 'limit' }
  }
  createKey: {
    data: contract.CreateKeyData
    responses: contract.CreateKeyResponses
    defaults: { body: never; query: never }
  }
  getKey: {
    data: contract.GetKeyData
    responses: contract.GetKeyResponses
    defaults: { body: never; query: never }
  }
  revokeKey: {
    data: contract.RevokeKeyData
    responses: contract.RevokeKeyResponses
    defaults: { body: never; query: never }
  }
  getLiveness: {
    data: contract.GetLivenessData
    responses: contract.GetLivenessResponses
    defaults: { body: never; query: never }
  }
  getReadiness: {
    data: contract.GetReadinessData
    responses: contract.GetReadinessResponses
    defaults: { body: never; query: never }
  }
}
