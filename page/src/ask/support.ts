/** What a citation's `support` means. It does not say that the claim is right. */
export function supportInWords(support: number): string {
  if (support >= 0.995) return 'quoted word for word'
  if (support >= 0.75) return 'worded much like the source'
  if (support >= 0.4) return 'worded partly like the source'
  return 'worded differently from the source: compare'
}
