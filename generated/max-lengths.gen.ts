// Generated from openapi.yaml by `npm run generate`. Do not edit.

export const maxLengths = {
  AgentDescription: 16384,
  AgentName: 256,
  AnsweringModel: 256,
  DatasourceName: 256,
  DatasourceText: 1048576,
  DatastoreName: 256,
  FilterId: 256,
  FilterText: 4096,
  KeyName: 256,
  KnownDatastoreId: 128,
  MetadataKey: 1024,
  MetadataText: 4096,
  MetadataValue: 16384,
  NewKey: 256,
  NoAnswer: 2000,
  PathId: 128,
  Prompt: 131072,
  QueryText: 8192,
  VisitorId: 256,
  Workspace: 63,
} as const
