const generators = [{ type: 'msw', useExamples: true }]

export default {
  service: {
    input: 'openapi.json',
    output: { target: 'orval-msw.gen.ts', client: 'fetch', mock: { inline: true, generators } },
  },
}
