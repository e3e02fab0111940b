/** A way to search; `ask` answers the numbers of the documents found, best first, each once. */
export type Retrieval = {
  name: string
  ask(query: string, topK: number): Promise<string[]>
}
