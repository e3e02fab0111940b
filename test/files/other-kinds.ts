import { gzipSync } from 'node:zlib'
import { openDocumentOf, zipOf } from '../support/documents/packages.ts'

/** A file of these kinds, and its text. */
export type Sample = { title: string; name: string; bytes: Buffer; text: string }

const lines = (...all: string[]): Buffer => Buffer.from(all.join('\r\n'))

const mails: Sample[] = [
  {
    title: 'a mail in HTML alone, with a table and a link, in an encoding of its own',
    name: 'a.eml',
    bytes: Buffer.concat([
      lines(
        'Received: from mx.example',
        'From: =?windows-1251?B?zODw/A==?= <m@shop.example>',
        'To: Ben <ben@example.org>, ann@example.org',
        'Date: Tue, 10 Mar 2026 09:30:00 +0100',
        'Subject: Prices',
        'Content-Type: text/html; charset=windows-1251',
        'Content-Transfer-Encoding: 8bit',
        '',
        '<p>See <a href="https://shop.example/list">the list</a>.</p><table><tr><td>',
      ),
      Buffer.from('cde0f1eef1', 'hex'),
      lines('</td><td>1200</td></tr></table>', ''),
    ]),
    text:
      '# Prices\n\nFrom: Марь <m@shop.example>\nTo: Ben <ben@example.org>, ann@example.org\n' +
      'Date: 2026-03-10 08:30 UTC\n\nSee the list (https://shop.example/list).\n\n| Насос | 1200 |\n| --- | --- |',
  },
  {
    title: 'the mails of an MBOX',
    name: 'a.mbox',
    bytes: lines(
      'From 1@x Wed Mar 01 10:09:01 +0000 2023',
      'X-GM-THRID: 1',
      'From: ann@example.org',
      'Subject: =?UTF-8?B?UsOpdW5pb24=?=',
      '',
      'From May on we meet at nine.',
      '',
      '>From here it is far.',
      '',
      'From 2@x Thu Mar 02 10:09:01 +0000 2023',
      'From: ben@example.org',
      '',
      'Fine.',
    ),
    text:
      '# Réunion\n\nFrom: ann@example.org\n\nFrom May on we meet at nine.\n\nFrom here it is far.\n\n' +
      '# (no subject)\n\nFrom: ben@example.org\n\nFine.',
  },
  {
    title: 'the mails of an archive of a mailing list, and of a sender in quotation marks',
    name: 'list.txt',
    bytes: lines(
      'From ann at example.org  Wed Mar  1 10:09:01 2023',
      'From: ann at example.org (Ann Keld)',
      'Subject: =?UTF-8?B?UsOpdW5pb24=?=',
      '',
      'At nine.',
      '',
      'From ben at example.org  Thu Mar  2 10:09:01 2023',
      'From: ben at example.org (=?UTF-8?Q?Ben_Ros=C3=A9n?=)',
      'Subject: [list] Re: =?UTF-8?B?UsOpdW5pb24=?=',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Fine, ben at home, caf=65.',
      '',
      'From "c d"@example.org Fri Mar  3 10:09:01 2023',
      'From: cid@example.org',
      'Subject: Late',
      '',
      'Sorry.',
      'From: Kiel at ten',
    ),
    text:
      '# Réunion\n\nFrom: Ann Keld <ann@example.org>\n\nAt nine.\n\n' +
      '# [list] Re: Réunion\n\nFrom: Ben Rosén <ben@example.org>\n\nFine, ben at home, cafe.\n\n' +
      '# Late\n\nFrom: cid@example.org\n\nSorry.\nFrom: Kiel at ten',
  },
  {
    title: 'a mail whose HTML alone names its encoding',
    name: 'meta.eml',
    bytes: Buffer.concat([
      lines('From: ann@example.org', 'MIME-Version: 1.0', 'Content-Type: text/html', '', ''),
      Buffer.from('<html><head><meta charset="windows-1251"></head><body>'),
      Buffer.from('cde0f1eef1', 'hex'),
    ]),
    text: 'From: ann@example.org\n\nНасос',
  },
  {
    title: 'a mail whose HTML in quoted-printable alone names its encoding',
    name: 'meta.eml',
    bytes: lines(
      'From: ann@example.org',
      'Content-Type: text/html',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      '<html><head><meta charset=3D"windows-1251"></head><body>=CD=E0=F1=EE=F1',
    ),
    text: 'From: ann@example.org\n\nНасос',
  },
  {
    title: 'a mail whose coded parts do not tell their encoding, and one that it forwards',
    name: 'coded.eml',
    bytes: lines(
      'From: ann@example.org',
      'Content-Type: multipart/mixed; boundary=a',
      '',
      '--a',
      'Content-Type: text/html;',
      '\tname=x.html',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('<p>Schlüssel für fünf Türen.</p>', 'latin1').toString('base64'),
      '--a',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('<p>Größe 九</p>').toString('base64'),
      '--a',
      'Content-Type: message/rfc822',
      '',
      'From: bob@example.org',
      'Content-Type: text/plain',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Unter dem Topf, J=F6rg. Content-Type: text/plain',
      '--a--',
    ),
    text:
      'From: ann@example.org\n\nSchlüssel für fünf Türen.\n\nGröße 九\n\n' +
      '# (no subject)\n\nFrom: bob@example.org\n\nUnter dem Topf, Jörg. Content-Type: text/plain',
  },
  {
    title: 'a mail without its name, by the servers that received it',
    name: 'mail',
    bytes: lines(
      'Received: from mx.example',
      '\tby mail.example; Tue, 10 Mar 2026 09:30:00 +0100',
      'Subject: Keys',
      '',
      'They hang there.',
    ),
    text: '# Keys\n\nThey hang there.',
  },
  {
    title: 'a mail that does not tell its encoding',
    name: 'a.eml',
    bytes: Buffer.from(
      'From: J\xfcrgen <j@example.org>\r\nSubject: Schl\xfcssel\r\n\r\nDie \xdcbergabe der Schl\xfcssel ist um f\xfcnf Uhr.',
      'latin1',
    ),
    text: '# Schlüssel\n\nFrom: Jürgen <j@example.org>\n\nDie Übergabe der Schlüssel ist um fünf Uhr.',
  },
  {
    title: 'a mail that tells its encoding, but not that of its head',
    name: 'a.eml',
    bytes: Buffer.from(
      'From: J\xfcrgen <j@example.org>\r\nSubject: Schl\xfcssel\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nUm f\xfcnf Uhr an der T\xfcr.',
      'latin1',
    ),
    text: '# Schlüssel\n\nFrom: Jürgen <j@example.org>\n\nUm fünf Uhr an der Tür.',
  },
  {
    title: 'a mail in UTF-16 without a mark',
    name: 'a.eml',
    bytes: Buffer.from('From: ann@example.org\r\nSubject: Keys\r\n\r\nThey hang there.', 'utf16le'),
    text: '# Keys\n\nFrom: ann@example.org\n\nThey hang there.',
  },
  {
    title: 'a mail of two forms with a file, read once',
    name: 'mail',
    bytes: lines(
      'From: ann@example.org',
      'Subject: Fwd: keys',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=a',
      '',
      '--a',
      'Content-Type: multipart/alternative; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'Plain keys.',
      '--b',
      'Content-Type: text/html',
      '',
      '<p>Keys hang <b>there</b>.</p>',
      '--b--',
      '--a',
      'Content-Type: application/pdf; name="plan of keys.pdf"',
      'Content-Disposition: attachment; filename="plan of keys.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      'JVBERi0xLjQK',
      '--a--',
    ),
    text: '# Fwd: keys\n\nFrom: ann@example.org\n\nKeys hang there.\n\nAttachments: plan of keys.pdf',
  },
  {
    title: 'a mail with others in it, one attached, one shown, which forwards a third',
    name: 'a.eml',
    bytes: lines(
      'From: ann@example.org',
      'Subject: Fwd: keys',
      'Content-Type: multipart/mixed; boundary=a',
      '',
      '--a',
      'Content-Type: text/plain',
      '',
      'See both.',
      '--a',
      'Content-Type: message/rfc822',
      'Content-Disposition: attachment; filename="spare.eml"',
      '',
      'From: bob@example.org',
      'Subject: Spare key',
      'Content-Type: text/plain; charset=iso-8859-1',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Under the pot, J=F6rg.',
      '--a',
      'Content-Type: message/rfc822',
      '',
      'From: cy@example.org',
      'Date: Thu, 05 Mar 2026 14:30:00 +0100',
      'Content-Type: multipart/mixed; boundary=c',
      '',
      '--c',
      'Content-Type: text/plain',
      '',
      'The cellar is locked.',
      '--c',
      'Content-Type: message/rfc822',
      'Content-Disposition: attachment',
      '',
      'Subject: Cellar',
      '',
      'Ask Dee.',
      '--c--',
      '--a--',
    ),
    text:
      '# Fwd: keys\n\nFrom: ann@example.org\n\nSee both.\n\nAttachments: spare.eml\n\n' +
      '# Spare key\n\nFrom: bob@example.org\n\nUnder the pot, Jörg.\n\n' +
      '# (no subject)\n\nFrom: cy@example.org\nDate: 2026-03-05 13:30 UTC\n\nThe cellar is locked.\n\n' +
      '# Cellar\n\nAsk Dee.',
  },
]

const pages: Sample[] = [
  {
    title: 'a page as Word saves it',
    name: 'a.mht',
    bytes: lines(
      'MIME-Version: 1.0',
      'Content-Type: multipart/related; boundary="x"',
      '',
      'This document is a Single File Web Page.',
      '',
      '--x',
      'Content-Location: file:///C:/a.htm',
      'Content-Transfer-Encoding: quoted-printable',
      'Content-Type: text/html; charset="utf-8"',
      '',
      '<html><body><h2>Gr=C3=B6=C3=9Fe</h2><p>Twelve =',
      'metres.</p></body></html>',
      '',
      '--x--',
    ),
    text: '## Größe\n\nTwelve metres.',
  },
]

const notebooks: Sample[] = [
  {
    title: 'a notebook of code, with what it printed, a table, a picture and an error',
    name: 'a.ipynb',
    bytes: Buffer.from(
      JSON.stringify({
        nbformat: 4,
        cells: [
          { cell_type: 'markdown', source: '## Load' },
          {
            cell_type: 'code',
            source: ['x = 1\n', 'x'],
            outputs: [
              { output_type: 'stream', name: 'stdout', text: ['\u001b[31mone\u001b[0m\n'] },
              {
                output_type: 'execute_result',
                data: { 'text/html': '<table><tr><td>a</td></tr></table>', 'text/plain': 'a' },
              },
              {
                output_type: 'display_data',
                data: { 'image/png': 'iVBO', 'text/plain': '<Figure size 640x480 with 1 Axes>' },
              },
              { output_type: 'error', ename: 'KeyError', evalue: "'b'", traceback: ['…'] },
            ],
          },
        ],
      }),
    ),
    text: "## Load\n\n```\nx = 1\nx\n```\n\n```\none\n```\n\na\n\n```\nKeyError: 'b'\n```",
  },
  {
    title: 'a notebook of before 2015',
    name: 'old.json',
    bytes: Buffer.from(
      '{"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "heading", "source": "Rain"}, {"cell_type": "code", "input": "sum(x)", "outputs": []}]}]}',
    ),
    text: 'Rain\n\n```\nsum(x)\n```',
  },
]

const noNotebooks: Sample[] = [
  ['lines of notebooks', '{"nbformat": 4, "cells": [{"cell_type": "code"}]}\n{"nbformat": 4}\n'],
  ['JSON about notebooks', '{"nbformat": {"type": "integer"}, "cell_type": {"const": "code"}}'],
  ['the schema of notebooks', '{"nbformat": 4, "cells": {"cell_type": 1}, "worksheets": 2}'],
].map(([title = '', text = '']) => ({ title, name: 'a.json', bytes: Buffer.from(text), text }))

const subtitles: Sample[] = [
  {
    title: 'subtitles with speakers, notes, tags and lines that are shown again',
    name: 'a.vtt',
    bytes: Buffer.from(
      'WEBVTT - A talk\n\nNOTE nobody reads this\n\n1\n00:01.000 --> 00:02.000 align:start\n<v Ann>The <b>lift</b> is\n\n' +
        '00:02.000 --> 00:03.500\nThe lift is\nout of order &amp; closed.\n\n00:09.000 --> 00:10.000\n<v.loud Ben>Until Friday.</v>\n',
    ),
    text: 'Ann: The lift is\nThe lift is\nout of order & closed.\n\nBen: Until Friday.',
  },
  {
    title: 'subtitles with entities, signs and times in what is said',
    name: 'signs.vtt',
    bytes: Buffer.from(
      'WEBVTT\n\n00:01.000 --> 00:02.000\nIt&#39;s &quot;fine&quot;&nbsp;if 3 < 5 &amp;&lrm; 7 > 2, <00:01.500><c.late>I &lt;3</c> it &foo;',
    ),
    text: 'It\'s "fine" if 3 < 5 & 7 > 2, I <3 it &foo;',
  },
  {
    title: 'an SRT',
    name: 'a.txt',
    bytes: lines(
      '1',
      '00:00:01,000 --> 00:00:02,000',
      '<i>Mind the</i>',
      'gap.',
      '',
      '2',
      '00:00:02,100 --> 00:00:03,000',
      '{\\an8}Doors close.',
      '',
    ),
    text: 'Mind the\ngap.\nDoors close.',
  },
  {
    title: 'an SRT whose hours have one digit',
    name: 'hours.srt',
    bytes: Buffer.from(
      '1\n0:00:01,000 --> 0:00:02,000\nMind\n\n2\n0:00:03,000 --> 10:00:04,000\nthe gap.',
    ),
    text: 'Mind\nthe gap.',
  },
  {
    title: 'an SRT with blank lines in what is said',
    name: 'blank.srt',
    bytes: Buffer.from(
      '1\n00:00:01,000 --> 00:00:02,000\nMind\n\nthe gap.\n \n2\n00:00:03,000 --> 00:00:04,000\nAt\n9\n\n00:00:04,000 --> 00:00:05,000\nit opens.',
    ),
    text: 'Mind\nthe gap.\nAt\n9\nit opens.',
  },
  {
    title: 'an SRT whose carriage returns are doubled',
    name: 'doubled.srt',
    bytes: Buffer.from(
      '1\r\r\n00:00:01,000 --> 00:00:02,000\r\r\nMind\r\r\n\r\r\n2\r\r\n00:00:03,000 --> 00:00:04,000\r\r\nthe gap.',
    ),
    text: 'Mind\nthe gap.',
  },
]

const cell = (text: string, attributes = '') =>
  `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`

const item = (text: string, attributes = '') =>
  `<text:list-item ${attributes}><text:p>${text}</text:p></text:list-item>`
const numbered = (level: number, format: string, more: string) =>
  `<text:list-level-style-number text:level="${level}" style:num-format="${format}" ${more}/>`
const heading = (text: string, level: number, attributes = '') =>
  `<text:h text:outline-level="${level}" ${attributes}>${text}</text:h>`
const outlined = (level: number) =>
  `<text:outline-level-style text:level="${level}" style:num-format="1" text:display-levels="${level}"/>`

const openDocuments: Sample[] = [
  {
    title: 'an ODT whose lists have the numbers of their styles',
    name: 'lists.odt',
    bytes: openDocumentOf(
      'text',
      `<text:list xml:id="one" text:style-name="L1">${item('Rent')}<text:list-item><text:p>Keys</text:p><text:list>${item('two')}${item('spare')}<text:list-header><text:p>Note</text:p></text:list-header></text:list><text:p>are lent.</text:p></text:list-item></text:list>` +
        `<text:list text:style-name="L2">${item('Cash')}<text:list-item><text:list>${item('or card')}</text:list></text:list-item></text:list>` +
        `<text:list text:style-name="L1" text:continue-list="one">${item('Ends')}${item('Later', 'text:start-value="9"')}</text:list>` +
        `<table:table><table:table-row><table:table-cell><text:list text:style-name="L2"><text:list-item><text:list>${item('in a cell')}${item('again')}</text:list></text:list-item></text:list></table:table-cell></table:table-row></table:table>` +
        `<text:list text:style-name="L1">${item('Anew')}</text:list><text:p>Between.</text:p><text:list text:style-name="L1" text:continue-numbering="true">${item('On')}</text:list>`,
      `<text:list-style style:name="L1">${numbered(1, 'I', 'style:num-prefix="§ " text:start-value="4"')}${numbered(2, 'a', 'style:num-suffix=")" text:display-levels="2"')}</text:list-style>` +
        `<text:list-style style:name="L2"><text:list-level-style-bullet text:level="1"/>${numbered(2, '1', 'style:num-suffix="."')}</text:list-style>`,
    ),
    text:
      '§ IV Rent\n§ V Keys\n   V.a) two\n   V.b) spare\n\nNote\n\nare lent.\n\n- Cash\n  1. or card\n§ VI Ends\n§ IX Later\n\n' +
      '1. in a cell 2. again\n\n§ IV Anew\n\nBetween.\n\n§ V On',
  },
  {
    title: 'an ODT whose headings have numbers',
    name: 'headings.odt',
    bytes: openDocumentOf(
      'text',
      heading('Preface', 1, 'text:style-name="Plain"') +
        heading('Rent', 1) +
        heading('When', 2) +
        heading('Aside', 2, 'text:is-list-header="true"') +
        heading('How', 2) +
        heading('<text:s/>', 3) +
        heading('Keys', 1) +
        heading('Lost ones', 2),
      '<style:style style:name="Plain" style:family="paragraph" style:parent-style-name="Bare"/>',
      {
        'styles.xml': `<office:document-styles><style:style style:name="Bare" style:family="paragraph" style:list-style-name=""/><text:outline-style>${outlined(1)}${outlined(2)}</text:outline-style></office:document-styles>`,
      },
    ),
    text: '# Preface\n\n# 1 Rent\n\n## 1.1 When\n\n## Aside\n\n## 1.2 How\n\n# 2 Keys\n\n## 2.1 Lost ones',
  },
  {
    title: 'an ODT with headings, lists, a table, a note, a link and what nobody sees',
    name: 'a.odt',
    bytes: openDocumentOf(
      'text',
      '<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h text:outline-level="2">Hours</text:h>' +
        '<text:p>At<text:s text:c="2"/>nine<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>But in May.</text:p></text:note-body></text:note>,<text:line-break/>' +
        '<text:a xlink:href="https://a.example/">here</text:a><office:annotation><text:p>why?</text:p></office:annotation>.</text:p>' +
        '<text:list><text:list-item><text:p>Tools</text:p><text:list><text:list-item><text:p>Saw</text:p></text:list-item></text:list></text:list-item></text:list>' +
        `<table:table><table:table-row>${cell('Day')}${cell('Hour')}</table:table-row><table:table-row>${cell('Mon')}${cell('9')}</table:table-row></table:table>`,
    ),
    text:
      '## Hours\n\nAt nine[1],\nhere (https://a.example/).\n\n- Tools\n  - Saw\n\n| Day | Hour |\n| --- | --- |\n| Mon | 9 |\n\n' +
      '1. But in May.',
  },
  {
    title: 'an ODT with formulas, which are files of their own, and a chart',
    name: 'formulas.odt',
    bytes: openDocumentOf(
      'text',
      '<text:p>It is <draw:frame><draw:object xlink:href="./Object 1"/><svg:desc>no</svg:desc></draw:frame>, so <draw:frame><draw:object xlink:href="Formula-0/"/></draw:frame>.</text:p>' +
        '<text:p>A chart: <draw:frame><draw:object xlink:href="./Object 2"/></draw:frame></text:p>',
      '',
      {
        'Object 1/content.xml':
          '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>E</mi><mo>=</mo><msup><mi>c</mi><mn>2</mn></msup></mrow><annotation encoding="StarMath 5.0">E=c^2</annotation></semantics></math>',
        'Formula-0/content.xml':
          '<math:math><math:mfrac><math:mn>1</math:mn><math:mn>2</math:mn></math:mfrac></math:math>',
        'Object 2/content.xml':
          '<office:document-content><chart:chart>no</chart:chart></office:document-content>',
      },
    ),
    text: 'It is E=c^2, so 1/2.\n\nA chart:',
  },
  {
    title: 'an ODT with a table whose head says that it spans rows of the body',
    name: 'head.odt',
    bytes: openDocumentOf(
      'text',
      `<table:table><table:table-header-rows><table:table-row>${cell('Boat').replace('<table:table-cell', '$& table:number-rows-spanned="2"')}${cell('Day')}</table:table-row></table:table-header-rows><table:table-row>${cell('Dinghy')}${cell('12')}</table:table-row></table:table>`,
    ),
    text: '| Boat | Day |\n| --- | --- |\n| Dinghy | 12 |',
  },
  {
    title: 'an ODT with raised and lowered numbers',
    name: 'raised.odt',
    bytes: openDocumentOf(
      'text',
      '<text:p>10<text:span text:style-name="T1">6</text:span> of CO<text:span text:style-name="T2">2</text:span> in 5 m<text:span text:style-name="T3">2</text:span></text:p>',
      ['super 58%', '-33% 58%', '33% 58%']
        .map(
          (position, n) =>
            `<style:style style:name="T${n + 1}" style:family="text"><style:text-properties style:text-position="${position}"/></style:style>`,
        )
        .join(''),
    ),
    text: '10^6 of CO2 in 5 m^2',
  },
  {
    title: 'an ODT with a box of text and a section',
    name: 'box.odt',
    bytes: openDocumentOf(
      'text',
      '<text:section><text:p>Before <text:span>all</text:span>.</text:p></text:section><text:p><draw:frame><draw:text-box><text:p>In a box.</text:p></draw:text-box></draw:frame></text:p>',
    ),
    text: 'Before all.\n\nIn a box.',
  },
  {
    title: 'an ODS with numbers as they are shown, repeated and merged cells, and a hidden sheet',
    name: 'a.ods',
    bytes: openDocumentOf(
      'spreadsheet',
      `<table:table table:name="Due"><table:table-row>${cell('Region')}${cell('Code')}${cell('Sum')}</table:table-row>` +
        `<table:table-row>${cell('North', 'table:number-rows-spanned="2"')}${cell('04144', 'office:value="4144"')}${cell('1,234.50 €')}</table:table-row>` +
        `<table:table-row><table:covered-table-cell/>${cell('7', 'table:number-columns-repeated="2"')}<table:table-cell table:number-columns-repeated="16000"/></table:table-row>` +
        '<table:table-row table:number-rows-repeated="1048000"><table:table-cell/></table:table-row></table:table>' +
        `<table:table table:name="Lists" table:style-name="h"><table:table-row>${cell('secret')}</table:table-row></table:table>`,
      '<style:style style:name="h" style:family="table"><style:table-properties table:display="false"/></style:style>',
    ),
    text: '# Due\n\n| Region | Code | Sum |\n| --- | --- | --- |\n| North | 04144 | 1,234.50 € |\n| North | 7 | 7 |',
  },
  {
    title: 'an ODS whose head has merged cells above the names of columns',
    name: 'head.ods',
    bytes: openDocumentOf(
      'spreadsheet',
      `<table:table table:name="Rent"><table:table-row><table:table-cell/>${cell('Summer', 'table:number-columns-spanned="2"')}<table:covered-table-cell/>${cell('Seats')}</table:table-row>` +
        `<table:table-row>${['Boat', 'Day', 'Week'].map((name) => cell(name)).join('')}<table:table-cell/></table:table-row>` +
        `<table:table-row>${['Raft', '1', '2', '4'].map((text) => cell(text)).join('')}</table:table-row></table:table>`,
    ),
    text: '# Rent\n\n| Boat | Summer Day | Summer Week | Seats |\n| --- | --- | --- | --- |\n| Raft | 1 | 2 | 4 |',
  },
  {
    title: 'an ODS whose rows go on with empty cells to the last column',
    name: 'long.ods',
    bytes: openDocumentOf(
      'spreadsheet',
      `<table:table table:name="All">${`<table:table-row>${cell('A')}${cell('B')}<table:table-cell table:number-columns-repeated="16373"/></table:table-row>`.repeat(3_000)}</table:table>`,
    ),
    text: `# All\n\n| A | B |\n| --- | --- |\n${'| A | B |\n'.repeat(2_999)}`.trim(),
  },
  {
    title: 'an ODS with lines and a tab in cells',
    name: 'lines.ods',
    bytes: openDocumentOf(
      'spreadsheet',
      `<table:table table:name="Tea"><table:table-row>${cell('Green<text:line-break/>tea')}${cell('4<text:tab/>g')}</table:table-row></table:table>`,
    ),
    text: '# Tea\n\n| Green tea | 4 g |\n| --- | --- |',
  },
  {
    title: 'an ODS of two sheets',
    name: 'b.ods',
    bytes: openDocumentOf(
      'spreadsheet',
      ['One', 'Two']
        .map(
          (name) =>
            `<table:table table:name="${name}"><table:table-row>${cell(name)}</table:table-row></table:table>`,
        )
        .join(''),
    ),
    text: '# One\n\nOne\n\n# Two\n\nTwo',
  },
]

const texts: Sample[] = [
  {
    title: 'a text that begins as a mail does',
    name: 'note.md',
    bytes: Buffer.from('To: Ann\nFrom: Ben\n\nAt nine.'),
    text: 'To: Ann\nFrom: Ben\n\nAt nine.',
  },
  {
    title: 'a text with fields, of which one is what was received',
    name: 'note.txt',
    bytes: Buffer.from('Received: 12 pallets from Acme\nOrder: 4711; paid\n\nTwo are damaged.'),
    text: 'Received: 12 pallets from Acme\nOrder: 4711; paid\n\nTwo are damaged.',
  },
  {
    title: 'JSON with cells',
    name: 'a.json',
    bytes: Buffer.from('{"cells": [{"cell_type": "door"}]}'),
    text: '{"cells": [{"cell_type": "door"}]}',
  },
  {
    title: 'a text that tells how a PDF begins',
    name: 'a.md',
    bytes: Buffer.from('# Marks\n\nA PDF begins with %PDF-1.7, and ends with %%EOF.\n'),
    text: '# Marks\n\nA PDF begins with %PDF-1.7, and ends with %%EOF.\n',
  },
  {
    title: 'a text with the mark of a PDF on a line of its own',
    name: 'a.md',
    bytes: Buffer.from('The mark is:\n\n%PDF-1.7\n'),
    text: 'The mark is:\n\n%PDF-1.7\n',
  },
  {
    title: 'the XML of an OpenDocument that is unpacked',
    name: 'content.xml',
    bytes: Buffer.from('<office:document-content>At nine.</office:document-content>'),
    text: '<office:document-content>At nine.</office:document-content>',
  },
  {
    title: 'a text about programs',
    name: 'a.txt',
    bytes: Buffer.from(`MZ and ID3 and PAR1 ${'are marks of files. '.repeat(20)}`),
    text: `MZ and ID3 and PAR1 ${'are marks of files. '.repeat(20)}`,
  },
]

export const samples = [
  ...mails,
  ...pages,
  ...notebooks,
  ...noNotebooks,
  ...subtitles,
  ...openDocuments,
  ...texts,
]

const compound = (stream: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(stream, 'utf16le')])

/** Files that are not read, and what is said of them. */
export const refused: [title: string, bytes: Buffer, detail: string][] = [
  ['PNG', Buffer.from('89504e470d0a1a0a0000', 'hex'), 'a picture (PNG), which is not read. Have'],
  ['JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), 'a picture (JPEG)'],
  ['HEIC', Buffer.from('\0\0\0\x18ftypheic\0', 'latin1'), 'a picture (HEIC or AVIF)'],
  ['MP4', Buffer.from('\0\0\0\x18ftypisom\0', 'latin1'), 'a film, which is not read. Send what is'],
  ['RTF', Buffer.from('{\\rtf1\\ansi At nine.}'), 'RTF, which is not read. Save it as DOCX.'],
  [
    'DOC',
    compound('WordDocument'),
    'a DOC of Word before 2007, which is not read. Save it as DOCX.',
  ],
  ['XLS', compound('Workbook'), 'an XLS of Excel before 2007'],
  [
    'MSG',
    compound('__substg1.0_0037'),
    'a mail of Outlook (MSG), which is not read. Save it as EML.',
  ],
  ['XLSB', zipOf({ 'xl/workbook.bin': 'x' }), 'an XLSB, which is not read. Save it as XLSX.'],
  ['GZIP', gzipSync('x'), 'compressed (GZIP), which is not read. Unpack it'],
  ['ZIP', zipOf({ 'a.txt': 'a' }), 'a ZIP of other files, which is not read. Unpack it'],
  ['Pages', zipOf({ 'Index/Document.iwa': 'x' }), 'of Pages, Numbers or Keynote'],
  [
    'ODP',
    zipOf({ mimetype: 'application/vnd.oasis.opendocument.presentation', 'content.xml': 'x' }),
    'an ODP, which is not read. Save it as PPTX or PDF.',
  ],
  [
    'FODS',
    Buffer.from(
      '\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<!-- of a program -->\n<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"/>',
    ),
    'an OpenDocument as one XML (FODT, FODS or FODP), which is not read. Save it as ODT,',
  ],
  ['bytes', Buffer.from('0001020304', 'hex'), 'neither text nor one of PDF, DOCX,'],
]
