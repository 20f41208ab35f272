/** How the specs come into a test runner. */
export interface Runner {
  readonly name: 'Vitest' | 'Jest'
  /** Package that gives `mdtest`. */
  readonly packageName: string
  /** Key of the configuration with the list that `mdtest()` goes into. */
  readonly key: string
  /** What stands in a new list before `mdtest()`. */
  readonly before: readonly string[]
  /** The specs and nothing else. */
  readonly command: string
}

export const vitest: Runner = {
  name: 'Vitest',
  packageName: 'vitest-mdtest',
  key: 'plugins',
  before: [],
  command: 'npx vitest run --project mdtest',
}

export const jest: Runner = {
  name: 'Jest',
  packageName: 'vitest-mdtest/jest',
  key: 'projects',
  // The configuration itself: its own tests stay as they are.
  before: ["'<rootDir>'"],
  command: 'npx jest --selectProjects mdtest',
}

/** A list with `mdtest()` as it stands in a configuration. */
export function formatList({ key, before }: Runner, call: string): string {
  return `${key}: [${[...before, call].join(', ')}]`
}
