const itsOwnPlace = 'looks for its own name and place, which are others here'

/** Tests of foreign suites that do not pass, by file and title, and why. The README and docs/coming-from.md count them. */
export const knownFailures: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  scrut: {},
  mdx: {},
}
