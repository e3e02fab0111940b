import type { Handlers } from './handler.ts'

export const answerHandlers = () =>
  ({
    queryAgent: () => Promise.reject(new Error('queryAgent is not built yet.')),
    getKnowledge: () => Promise.reject(new Error('getKnowledge is not built yet.')),
    putKnowledge: () => Promise.reject(new Error('putKnowledge is not built yet.')),
  }) satisfies Partial<Handlers>
