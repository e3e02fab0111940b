import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { joinServer } from '../support/server.ts'
import { makeLearnedAgent } from '../support/things.ts'

const { client } = await joinServer()

const others = Array.from(
  { length: 400 },
  (_, n) =>
    `tool-${n}\t\t${1017 + n}/tcp${n % 4 ? '' : `\t\talias-${n}`}${n % 3 ? '' : '\t# A port'}`,
)
const services = `tidyd		11/tcp				# Tidies the port of call
broomd		12/tcp		sweeper

# Ports are used to name the ends of connections. A port is used by one
# program, and users may use each port that no other program uses.

exec		512/tcp
biff		512/udp		comsat
login		513/tcp
shell		514/tcp		cmd rsh		# no passwords used
spoon		515/tcp		ladle		# line port spooler
gdomap		538/tcp				# Distributed objects
gdomap		538/udp
fork		548/tcp				# Not used
mopd		563/tcp		smop		# Mops over SSL
mopds		564/tcp				# Mops, port of old
${others.join('\n')}`

const countries = `# Codes of countries
# Each row has the code of a country.
#code	name of country, or part of one
${['AD	Andorra', 'BE	Belgium', 'DO	Dominican Republic', 'IT	Italy', 'NO	Norway'].join('\n')}
${Array.from({ length: 160 }, (_, n) => `Q${n}	Land of ${n}`).join('\n')}
SO	Somalia
ZM	Zambia`

const codenames = Array.from(
  { length: 160 },
  (_, n) => `${n}.04,Name${n} Heron,name${n},2004-03-05`,
)
const full = ',2020-04-23,2025-05-29,2030-04-23'
const releases = `version,codename,series,created,release,eol,eol-esm
${codenames.map((row, n) => (n > 15 && n % 3 === 0 ? row + full : row)).join('\n')}`

test.each([
  ['What port does mopd use?', 'mopd\t\t563/tcp\t\tsmop\t\t# Mops over SSL'],
  ['Which port does exec use?', 'exec\t\t512/tcp'],
  ['On which port does biff listen?', 'biff\t\t512/udp\t\tcomsat'],
  ['port of ladle', 'spoon\t\t515/tcp\t\tladle\t\t# line port spooler'],
  ['Which port does gdomap listen on?', 'gdomap\t\t538/tcp\t\t\t\t# Distributed objects'],
  ['What runs on port 1099?', others[82]],
  ['Which program uses port 548?', 'fork\t\t548/tcp\t\t\t\t# Not used'],
])('a row of /etc/services is quoted alone: %s', async (query, row) => {
  expect(await askOf('services', services, query)).toBe(row)
})

test.each([
  ['Which country has the code DO?', 'DO\tDominican Republic'],
  ['country code IT', 'IT\tItaly'],
  ['What is the country with code SO?', 'SO\tSomalia'],
  ['Which country has the code ZM?', 'ZM\tZambia'],
])('a code that is also a stop word finds its row: %s', async (query, row) => {
  const head = '#code\tname of country, or part of one'
  expect(await askOf('countries.tab', countries, query)).toBe(`${head}\n${row}`)
})

test('a code in capitals that no row has is answered with no row', async () => {
  const answer = await askOf('countries.tab', countries, 'Which country has the code XZ?')
  expect(answer ?? '').not.toMatch(/^\w+\t/m)
})

test.each([3, 16, 60, 99, 120, 159])(
  'row %i of a CSV whose rows end early, until one is full, is quoted alone',
  async (n) => {
    const [head, ...rows] = releases.split('\n')
    const answer = await askOf('releases.csv', releases, `When was Name${n} Heron released?`)
    expect(answer).toBe(`${head}\n${rows[n]}`)
  },
)

test('a question that only names a row, and asks for what no row has, is declined', async () => {
  const query = 'Who invented gdomap?'
  expect(await askOf('services', services, query)).toBe(undefined)
})

const manual = `GIT-SCRUB(1)

NAME
       git-scrub - Manage the pans of a kitchen

COMMANDS
       With no arguments, shows a list of pans. Several subcommands do more.

       add
           Puts a pan on the list.

       remove, rm
           Takes a pan off the list. When add, rename or remove cannot find the pan of git
           scrub in question, what they do ends with 2.

       rename
           Gives it another name.`

test.each([
  ['What does the add subcommand of git scrub do?', 'add\n           Puts a pan on the list.'],
  ['What does the `rename` subcommand do?', 'rename\n           Gives it another name.'],
])('a subcommand is answered with its own meaning: %s', async (query, meaning) => {
  expect(await askOf('git-scrub', manual, query)).toContain(meaning)
})

/** The answer of an agent that knows one file; undefined where it declines. */
async function askOf(name: string, text: string, query: string): Promise<string | undefined> {
  const { agent } = await (agents[name] ??= makeLearnedAgent(client, [{ name, text }]))
  const body = { query, store: false }
  const { data } = await sdk.queryAgent({ client, path: { id: agent }, body, throwOnError: true })
  return data.answered ? data.answer : undefined
}
const agents: Record<string, ReturnType<typeof makeLearnedAgent> | undefined> = {}
