/** Something wrong with one line of expected output. */
export interface LineProblem {
  /** Index of the character in the line, from 0. */
  readonly index: number
  /** What is wrong and what to do about it. */
  readonly message: string
}
