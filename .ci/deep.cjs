// Runs a third of the tests tagged `deep`, and a third of the other `deep:*` scripts, each at a size of a
// few minutes at most. The commit chooses both.
const { execFileSync, spawnSync } = require('node:child_process')
const { scripts } = require('../package.json')

const sizes = {
  'deep:adding': {},
  'deep:compaction': { CUTS: 1, CUT_ROWS: 16_000 },
  'deep:crash': { CRASH_ROUNDS: 10 },
  'deep:damage': { DAMAGE_SEEDS: 1 },
  'deep:deleted-files': { DELETED_FILES_ROUNDS: 30 },
  'deep:files': { REAL_FILES: 60 },
  'deep:filters': { FILTERS_ROUNDS: 300 },
  'deep:forms': { FORMS_RUNS: 3_000 },
  'deep:fuzz': { FUZZ_REQUESTS: 1_500 },
  'deep:hour': {},
  'deep:keys': { KEYS_LIVES: 4, KEYS_PUTS: 600 },
  'deep:left-behind': { LEFT_BEHIND_ROUNDS: 4 },
  'deep:model': { MODEL_RUNS: 20, MODEL_STEPS: 40 },
  'deep:page': {},
  'deep:peers': {},
  'deep:power-cut': { POWER_CUT_ROUNDS: 5 },
  'deep:replace': { REPLACE_READS: 4_000 },
  'deep:search': { SEARCH_ROUNDS: 300 },
  'deep:served': { FUZZ_REQUESTS: 1_000 },
  'deep:soak': { SOAK_SECONDS: 60 },
  'deep:stop': { STOP_ROUNDS: 4 },
  'deep:streams': { STREAM_ROUNDS: 20 },
  'deep:torn-index': {},
  'deep:upgrade': { UPGRADE_ROUNDS: 4 },
}
const unsized = Object.keys(scripts).filter(
  (name) => name.startsWith('deep:') && name !== 'deep:tests' && !(name in sizes),
)
if (unsized.length > 0) throw new Error(`.ci/deep.cjs gives no size for ${unsized.join(', ')}.`)

const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' })
const number = parseInt(commit.slice(0, 7), 16)
const third = number % 3
const chosen = Object.entries(sizes).filter((_, index) => index % 3 === third)
const env = { ...process.env }
// The report is of the suite alone.
delete env.VITEST_REPORT

run('deep:tests', {}, ['--', `--shard=${third + 1}/3`])
for (const [name, size] of chosen) {
  // The commit is the seed too, so that who runs this again sees the same.
  const sizeAndSeed = Object.entries(size).flatMap(([key, value]) => [
    // The size comes last, for a name without `_` has no seed.
    [key.replace(/_[A-Z]+$/, '_SEED'), String(number)],
    [key, String(value)],
  ])
  run(name, Object.fromEntries(sizeAndSeed))
}

function run(name, settings, options = []) {
  const began = Date.now()
  const { status } = spawnSync('npm', ['run', name, ...options], {
    env: { ...env, ...settings },
    stdio: 'inherit',
  })
  console.log(`${name}: ${Math.round((Date.now() - began) / 1000)} s`)
  if (status !== 0) process.exit(1)
}
