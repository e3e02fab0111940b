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

test.each([
  'What is the price of Name7 Heron?',
  'How many downloads has Name7 Heron?',
  'Which wallpaper does Name7 Heron have?',
  'Who maintains Name7 Heron?',
])('what no column says is not answered with the row: %s', async (query) => {
  expect(await askOf('releases.csv', releases, query)).toBe(undefined)
})

const books = `Title,Author,Copies,Remarks
Emma,Jane Austen,4,none
Ivanhoe,Walter Scott,2,It has lost its cover and nine pages
Dracula,Bram Stoker,7,none`

test.each([
  ['Who wrote Emma?', 'Emma,Jane Austen,4,none'],
  ['How many copies of Dracula are there?', 'Dracula,Bram Stoker,7,none'],
  [
    'What is the condition of Ivanhoe?',
    'Ivanhoe,Walter Scott,2,It has lost its cover and nine pages',
  ],
  ['Was kostet Emma?', 'Emma,Jane Austen,4,none'],
])('a column in other words is answered with the row: %s', async (query, row) => {
  expect((await askOf('books.csv', books, query))?.split('\n').at(-1)).toBe(row)
})

const users = ['root:x:0:0:root:/root:/bin/bash', 'pan:x:7:7:Pan, of old:/home/pan:/bin/sh']
const accounts = [...users, 'pot:x:8:8::/home/pot:/bin/sh', 'spoon:x:9:9::/var/spoon:/bin/sh'].join(
  '\n',
)
const listing = `total 12
drwxr-xr-x  2 root root  4096 May  9  2025 pans
drwxr-xr-x  3 root root   512 Nov 29 21:37 spoons
drwxr-xr-x 79 root root 14096 Nov 29 21:40 etc
lrwxrwxrwx  1 root root     7 May 20  2025 pots -> usr/pots`
const disks = `Device       Size  Used Use% Mounted on
/dev/pan      12G     0   0% /pan
tmpfs         24G     0   0% /dev/shm
/dev/vda     252G   26G  25% /`
const mounts = `proc /proc proc rw,relatime 0 0
sysfs /sys sysfs rw,relatime 0 0
/dev/pan / ext4 rw,discard 0 0
tmpfs /dev/shm tmpfs rw,size=24k 0 0`
const settings = `[Sink]
#SoakSec=5m
#Soap=yes
WaterMax=48K
Taps =
    left
    right

[Stove]
Flames=4
Heat=low`
const commented = `[server]
; where to listen
host = 10.0.0.1
port = 8443

[store]
# primary
host = store.example
port = 5433

[mail]
port = 587`
const authors = ['arch: K. Zak', 'cat: R. Stallman', 'dircolors: H. Anvin', 'tee: M. Parker']
const people = Array.from({ length: 40 }, (_, n) => `tool${n}: Author Number ${n}`)
const credits = [...authors, ...people].join('\n')

test.each([
  ['passwd', accounts, 'What is the home directory of pan?', users[1]],
  ['ls', listing, 'How big is spoons?', listing.split('\n')[2]],
  ['df', disks, 'How full is /dev/vda?', `${disks.split('\n')[0]}\n${disks.split('\n')[3]}`],
  ['mounts', mounts, 'Where is sysfs mounted?', mounts.split('\n')[1]],
  ['sink.conf', settings, 'What is SoakSec?', '#SoakSec=5m'],
  ['sink.conf', settings, 'Which Taps are there?', 'Taps =\n    left\n    right'],
  ['app.ini', commented, 'What is the port of the server?', 'port = 8443'],
  ['app.ini', commented, 'What is the port of the store?', 'port = 5433'],
  ['app.ini', commented, 'Where to listen?', '; where to listen\nhost = 10.0.0.1'],
  ['app.ini', commented, 'What is the port of mail?', 'port = 587'],
  ['AUTHORS', credits, 'Who wrote dircolors?', 'dircolors: H. Anvin'],
])(
  'of the lines of %s the one that is asked for is quoted alone',
  async (name, text, query, row) => {
    expect(await askOf(name, text, query)).toBe(row)
  },
)

test('items of a numbered list with equally many words are no rows', async () => {
  const list =
    '1. Scrub the frobnicated pan\n2. Rinse the frobnicated pan\n3. Dry the frobnicated pan'
  expect(await askOf('list', list, 'How do I scrub a frobnicated pan?')).toBe(list)
})

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
