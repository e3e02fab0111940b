/** What nobody sees and a model reads: zero-width, direction and tag characters, and most controls. */
const invisible =
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Noncharacter_Code_Point}]|(?![\t\n\r])\p{Cc}/gu

export const visible = (text: string): string => text.replace(invisible, '')
