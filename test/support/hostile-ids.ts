/** Ids as an attacker would choose them. */
export const hostileIds = [
  "o'hara",
  "') OR 1=1 --",
  "'' OR ''='",
  '"double"',
  'back\\slash',
  'per%cent_',
  '%2F..%2f',
  'nul\u0000byte',
  'line\nbreak',
  '👩‍🔬🇨🇭',
  '鍵',
  '; DROP TABLE x',
  '`tick`',
  '$1',
  ' ',
  '',
]
