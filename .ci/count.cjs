// Prints `N passed, N failed` from vitest's JSON report. A file that failed to load has no failed
// test and counts as one; a command that failed counts as at least one.
const { readFileSync } = require('node:fs')
const [report, status] = process.argv.slice(2)

function read() {
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, testResults: [] }
  }
}

const { numPassedTests, numFailedTests, testResults } = read()
const unloaded = testResults.filter(
  (file) =>
    file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
).length
const commandFailed = status !== '0' ? 1 : 0
const failed = Math.max(numFailedTests + unloaded, commandFailed, numPassedTests > 0 ? 0 : 1)
console.log(`${numPassedTests} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
