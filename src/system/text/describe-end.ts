/** How a program ended, as far as the words for it are the same whoever started it. A `CommandEnd` without an error. */
export type ProgramEnd =
  | { readonly reason: 'exit'; readonly exitCode: number }
  | { readonly reason: 'signal'; readonly signal: string }
  | { readonly reason: 'hard-timeout' | 'silence-timeout'; readonly limitMs: number }
  | { readonly reason: 'canceled' }

/**
 * Says how a program ended, as the rest of a sentence whose subject is the program.
 *
 * @param end from this process or from a record
 * @param limit a time limit as the user knows it; default: its milliseconds
 */
export function describeEnd(end: ProgramEnd, limit = 'limitMs' in end ? `${end.limitMs} ms` : ''): string {
  switch (end.reason) {
    case 'exit':
      return `ended with exit code ${end.exitCode}`
    case 'signal':
      return `was ended by ${end.signal}`
    case 'hard-timeout':
      return `took longer than ${limit} and was ended`
    case 'silence-timeout':
      return `printed nothing for ${limit} and was ended`
    case 'canceled':
      return 'was canceled and ended'
    default:
      return end satisfies never
  }
}

/** The same for a program that ended by itself. */
export function describeExit(exitCode: number): string {
  return describeEnd({ reason: 'exit', exitCode })
}
