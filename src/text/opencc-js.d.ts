declare module 'opencc-js/dict/TSCharacters' {
  /** Pairs of a traditional and a simplified character with a blank between, parted by `|`. */
  const pairs: string
  export default pairs
}
