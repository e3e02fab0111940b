// Generated from openapi.yaml by `npm run generate`. Do not edit.

export const defaults = {
  Distinct: false,
  FragmentLength: 2000,
  InitialModelName: "gpt_3_5_turbo",
  InitialPrompt: "",
  InitialPromptType: "raw",
  InitialTemperature: 0,
  InitialVisibility: "private",
  NoAnswer: "I could not find an answer to that in what I know.",
  Overrides: [],
  QueryMode: "hybrid",
  SourceCount: 8,
  Storing: true,
  Streaming: false,
  TopK: 5,
} as const
