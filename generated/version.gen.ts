// Generated from openapi.yaml by `npm run generate`. Do not edit.

export const contractVersion = '0.3.0-dev'
