/** A small file as people have it in `cases/`: strings that its text must hold, must not, and must have in this order. */
export type Case = { name: string; must?: string[]; not?: string[]; order?: string[] }

export const cases: Case[] = [
  {
    name: 'docx-ticked-boxes.docx',
    must: ['☒', '☐', '7 May'],
  },
  {
    name: 'docx-smartart.docx',
    must: ['Stamp them'],
  },
  {
    name: 'docx-header-with-fact.docx',
    must: ['30 June 2031'],
  },
  {
    name: 'docx-bold-headings.docx',
    must: ['# Opening hours'],
  },
  {
    name: 'docx-numbered-clauses.docx',
    must: ['2.2'],
    order: ['2.1', 'Rent is due on the third', '2.2', 'Late rent costs two percent'],
  },
  {
    name: 'docx-moved-paragraph.docx',
    must: ['Bring gloves', 'Row that stays'],
    not: ['Row that went', 'Bring gloves.\n\nBring gloves'],
  },
  {
    name: 'csv-chinese-gbk.csv',
    must: ['苹果'],
  },
  {
    name: 'csv-polish-1250.csv',
    must: ['Łódź', 'żółty'],
  },
  {
    name: 'csv-russian-1251.csv',
    must: ['Насос'],
  },
  {
    name: 'epub-chapter-1251.epub',
    must: ['Первая глава'],
  },
  {
    name: 'html-charset-past-1024.html',
    must: ['Аренда квартир'],
  },
  {
    name: 'txt-hungarian-1250.txt',
    must: ['könyvtár', 'őszi', 'hétfő'],
  },
  {
    name: 'epub-spine-order.epub',
    order: ['Chapter one', 'Chapter two', 'Chapter ten'],
  },
  {
    name: 'html-cookie-banner.html',
    must: ['Tomatoes want sun'],
    not: ['We use cookies', 'Subscribe to our newsletter', 'Shop', 'All rights reserved'],
  },
  {
    name: 'html-title-alone.html',
    must: ['Refunds for late trains'],
  },
  {
    name: 'notebook.ipynb',
    must: ['# Rain\nSums by month', 'wettest: October'],
    not: ['image/png', '"cell_type"'],
  },
  {
    name: 'docx-link.docx',
    must: ['https://shop.example/prices'],
  },
  {
    name: 'html-links.html',
    must: ['https://city.example/form.pdf'],
  },
  {
    name: 'pdf-link.pdf',
    must: ['https://forms.example/claim'],
  },
  {
    name: 'mail.eml',
    must: ['The boiler is repaired on Tuesday'],
    not: ['iVBORw0KGgo', 'quoted-printable', '=C3=A9'],
  },
  {
    name: 'saved-page.mhtml',
    must: ['Ferry times'],
    not: ['=3D', 'Content-Transfer-Encoding'],
  },
  {
    name: 'xlsx-merged-region.xlsx',
    must: ['| North | Kiruna | 4 |'],
  },
  {
    name: 'pdf-chinese-named-cmap.pdf',
    must: ['图书馆九点开门'],
  },
  {
    name: 'pdf-mixed-named-cmap.pdf',
    must: ['Invoice 7711', '北京机械厂'],
  },
  {
    name: 'pdf-columns-drawn-by-row.pdf',
    order: [
      'The reading room opens at eight',
      'and closes at six. On Sundays it',
      'stays shut. Lockers are free, yet a',
      'coin of one euro is needed.',
      'Guests without a card pay four',
      'euros a day. Pupils under sixteen',
      'enter free. Groups book by post',
      'two weeks ahead.',
    ],
  },
  {
    name: 'pdf-bold-drawn-twice.pdf',
    must: ['Warranty'],
    not: ['WWaarr', 'WW'],
  },
  {
    name: 'pdf-owner-password.pdf',
    must: ['Spare keys hang behind the till'],
  },
  {
    name: 'pdf-form-ticked-boxes.pdf',
    must: ['Marta', '[x] Vegetarian'],
  },
  {
    name: 'pdf-cells-from-the-right.pdf',
    must: ['Hammer 12', 'Chisel 7', 'Mallet'],
    not: ['12Hammer', '8.5012', '14.207', '7Chisel'],
  },
  {
    name: 'pdf-turned-page-table.pdf',
    must: ['Rotterdam'],
    not: ['220Rotterdam', '180Bremen', '95Gdansk'],
  },
  {
    name: 'pdf-bold-headings.pdf',
    must: ['# Opening', '# Prices'],
  },
  {
    name: 'pdf-hyphen-of-a-compound.pdf',
    must: ['state-of-the-art', 'well-known', 'information'],
    not: ['theart', 'wellknown'],
  },
  {
    name: 'pdf-running-head-of-two-lines.pdf',
    must: ['Page text 3 begins'],
  },
  {
    name: 'pdf-raised-figures.pdf',
    must: ['costs 10^6 euros'],
    not: ['106 euros'],
  },
  {
    name: 'pdf-partly-scanned.pdf',
    must: ['Lease of the boathouse'],
  },
  {
    name: 'pdf-table-by-column.pdf',
    must: ['Basic'],
    order: [
      'Basic',
      '5 GB',
      '3 euros',
      'Family',
      '50 GB',
      '9 euros',
      'Office',
      '500 GB',
      '40 euros',
    ],
  },
  {
    name: 'pptx-bullets.pptx',
    must: ['- Tools', '  - Saw'],
  },
  {
    name: 'pptx-boxes-added-later.pptx',
    order: ['Step one: switch off', 'Step two: unscrew', 'Step three: rinse'],
  },
  {
    name: 'xlsx-text-box.xlsx',
    must: ['Berths are free in winter'],
  },
  {
    name: 'xlsx-leading-zeros.xlsx',
    must: ['04144', '01850', 'PN-0042', '1,234.50'],
  },
  {
    name: 'xlsx-formulas-never-computed.xlsx',
    must: ['=B2*C2'],
  },
]
