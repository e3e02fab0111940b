/** A word of a text, or a form of one that people also look for. */
export type Word = {
  text: string
  kind:
    | 'spaced'
    /** A run of letters in a script that is written unspaced. */
    | 'unspaced'
    /** `user` of `getUserName`. */
    | 'part'
    /** `wifi` of `Wi-Fi`, `2.17.5` of `v2.17.5`, `c++`. */
    | 'whole'
    /** An emoji, a currency, an operator. */
    | 'sign'
}
