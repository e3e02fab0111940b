// Generated from openapi.yaml by `npm run generate`. Do not edit.

export const jsonLimits = {
  Metadata: {"maxBytes":16384,"maxDepth":16},
  MetadataPatch: {"maxBytes":16384,"maxDepth":16},
} as const
