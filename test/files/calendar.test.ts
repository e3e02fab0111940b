import { expect, test } from 'vitest'
import { readHere } from './read-here.ts'

const textOf = async (lines: string[], name = 'a'): Promise<string> =>
  (await readHere({ name, bytes: Buffer.from(lines.join('\r\n')) })).text

const event = [
  'BEGIN:VEVENT',
  'DTSTART;TZID="Europe/Oslo":20260305T093000',
  'DTEND:20260305T093000Z',
  'SUMMARY;LANGUAGE=en:Roof\\, no',
  ' rth',
  'RRULE:FREQ=WEEKLY',
  'ORGANIZER:mailto:ann@example.org',
  'ATTENDEE;CN="Dee: B";ROLE=CHAIR:mailto:dee@example.org',
  'ATTENDEE;CN=Cy:mailto:cy@example.org',
  'DESCRIPTION:Bring the plans.\\nAnd a hat: warm.',
  'BEGIN:VALARM',
  'DESCRIPTION:Reminder',
  'END:VALARM',
  'LOCATION:Room 4',
  'END:VEVENT',
]
const eventText =
  '## Roof, north\n\nStart: 2026-03-05 09:30 Europe/Oslo\nEnd: 2026-03-05 09:30 UTC\nRepeats: FREQ=WEEKLY\nLocation: Room 4\n' +
  'Organizer: ann@example.org\nAttendees: Dee: B <dee@example.org>, Cy <cy@example.org>\n\nBring the plans.\nAnd a hat: warm.'

test('a calendar is read as its events', async () => {
  const zone = [
    'BEGIN:VTIMEZONE',
    'BEGIN:STANDARD',
    'DTSTART:1970',
    'END:STANDARD',
    'END:VTIMEZONE',
  ]
  const days = ['DTSTART;VALUE=DATE:20260228', 'DTEND;VALUE=DATE:20260302', 'SUMMARY:Fair']
  const calendar = [
    'BEGIN:VCALENDAR',
    'X-WR-CALNAME:Town',
    ...zone,
    ...event,
    'BEGIN:VEVENT',
    ...days,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  expect(await textOf(calendar)).toBe(
    `# Town\n\n${eventText}\n\n## Fair\n\nStart: 2026-02-28\nEnd: 2026-03-01`,
  )
})

test('a calendar without events stays as it is', async () => {
  const calendar = ['BEGIN:VCALENDAR', 'BEGIN:VFREEBUSY', 'END:VFREEBUSY', 'END:VCALENDAR']
  expect(await textOf(calendar, 'a.ics')).toBe(calendar.join('\r\n'))
})

test('an event is read whose parts or whose own end is missing, or which ends on its day', async () => {
  const fair = ['BEGIN:VEVENT', 'SUMMARY:Fair', 'DTSTART:20260228', 'DTEND:20260228', 'END:VEVENT']
  const talk = ['BEGIN:VEVENT', 'SUMMARY:Talk', 'DURATION:PT2H', 'BEGIN:VALARM', 'END:VEVENT']
  const walk = ['BEGIN:VEVENT', 'SUMMARY:Walk', 'LOCATION:Park']
  expect(await textOf(['BEGIN:VCALENDAR', ...fair, ...talk, ...walk])).toBe(
    '## Fair\n\nStart: 2026-02-28\n\n## Talk\n\nDuration: PT2H\n\n## Walk\n\nLocation: Park',
  )
})

test('an event tells its exceptions, its contact, its categories and its comments', async () => {
  const lines = [
    'SUMMARY:Choir',
    'COMMENT:Bring keys.',
    'CATEGORIES:Music,Bread\\, wine',
    'CONTACT:Ann\\, 030 1234',
    'RRULE:FREQ=WEEKLY',
    'EXDATE;TZID=Europe/Oslo:20260312T100000,20260319T100000',
    'EXDATE;VALUE=DATE:20260326',
    'RDATE:20260401T090000Z',
  ]
  const calendar = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR']
  expect(await textOf(calendar)).toBe(
    '## Choir\n\nRepeats: FREQ=WEEKLY\nAlso: 2026-04-01 09:00 UTC\n' +
      'Except: 2026-03-12 10:00 Europe/Oslo, 2026-03-19 10:00 Europe/Oslo, 2026-03-26\n' +
      'Contact: Ann, 030 1234\nCategories: Music, Bread, wine\nComment: Bring keys.',
  )
})

test('a field of many blanks is read', async () => {
  const place = `LOCATION:Room${' '.repeat(1_000_000)}4\\n \\nUpstairs`
  const calendar = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', place, 'END:VEVENT', 'END:VCALENDAR']
  expect(await textOf(calendar)).toMatch(/^Location: Room {9,}4, Upstairs$/)
})

const mail = (type: string, ...parts: string[][]) => [
  'From: ann@example.org',
  'Subject: Roof',
  'MIME-Version: 1.0',
  `Content-Type: multipart/${type}; boundary="x"`,
  '',
  ...parts.flatMap((part) => ['--x', ...part]),
  '--x--',
]

test('an invitation in a mail is told below its text', async () => {
  const said = ['Content-Type: text/plain', '', 'You are invited.']
  const calendar = ['Content-Type: text/calendar; method=REQUEST', '', 'BEGIN:VCALENDAR', ...event]
  expect(await textOf(mail('alternative', said, [...calendar, 'END:VCALENDAR']))).toBe(
    `# Roof\n\nFrom: ann@example.org\n\nYou are invited.\n\n${eventText}`,
  )
})

test('a mail that did not arrive tells why, and which it was', async () => {
  const status = ['Content-Type: message/delivery-status', '', 'Action: failed', 'Status: 5.1.1']
  const head = ['Content-Type: text/rfc822-headers', '', 'From: bob@example.org', 'Subject: Keys']
  expect(await textOf(mail('report', status, head))).toBe(
    '# Roof\n\nFrom: ann@example.org\n\nAction: failed\nStatus: 5.1.1\n\n# Keys\n\nFrom: bob@example.org',
  )
})
