import { describe, test } from 'vitest'
import { missingProgram } from '../support/runner-project.ts'
import type { BuggyRepository, RepositoryName } from './buggy-repository.ts'
import { expectFix, type ExpectedFix } from './expect-fix.ts'
import { openFixSession, type FixEnd, type FixSession, type FixSessionSetup } from './fix-session.ts'
import { skipReason } from './start-real-agents.ts'

/** One session of `mdtest fix`. */
export interface FixCase extends FixSessionSetup {
  /** What the agent does, and what comes of it. */
  readonly title: string
  readonly args?: readonly string[]
  /** How it goes; by default one run of `mdtest fix` with `args`. */
  readonly work?: (session: FixSession) => Promise<FixEnd>
  readonly expected: (repository: BuggyRepository) => ExpectedFix
  /** What else is to be seen. */
  readonly look?: (session: FixSession) => void
}

const programs: Readonly<Partial<Record<RepositoryName, 'pytest' | 'go'>>> = {
  'ledger-python': 'pytest',
  'timetable-go': 'go',
}

/** Tests that run at the same time: most of it is waiting. */
export function testFixes(title: string, cases: readonly FixCase[]): void {
  describe.skipIf(skipReason !== '').concurrent(`${title}${skipReason}`, () => {
    for (const { title: what, args = [], work, expected, look, ...setup } of cases) {
      const program = programs[setup.name]
      const missing = program && missingProgram(program)
      const named = `${setup.agent} in ${setup.name} ${what}${missing === undefined ? '' : ` (skipped: ${missing})`}`
      test.skipIf(missing !== undefined)(named, async () => {
        await using session = await openFixSession(setup)
        const end = await (work ?? (() => session.fix(...args).ended))(session)
        await expectFix(session, end, expected(session.repository))
        look?.(session)
      })
    }
  })
}

/** How each story begins: so many tests fail, twice. */
export const failing = (count: number, total: number): readonly string[] => [
  `baseline: ${count} of ${total}`,
  `confirm-failing: ${count} of ${total}`,
  'prompt-written',
]

/** How a good one ends. */
export const passing = (total: number): readonly string[] => [
  `after-attempt: 0 of ${total}`,
  `confirm-passing: 0 of ${total}`,
]

/** The agent makes room for another one. */
export const stuck = ['summarized stuck', 'session-started stuck', 'prompt-written'] as const // literals

/** What is no program of Go, in `fares/half.go`. */
export const halfOfGo = 'package fares\n\nfunc half(j Journey\n'

/** What comes of it, where so many of the other tests fail. */
export const undoneHalf = (count: number): readonly string[] => [
  `after-attempt: ${count} of 8`,
  `confirm-failing: ${count} of 8`,
  'undone made-worse fares/half.go > example.com/timetable/fares',
]

/** What an implementer was asked. */
export function promptOf(session: FixSession, attempt: number): string {
  const file = `artifacts/attempts/${attempt}/implementer_prompt.json`
  return String((JSON.parse(session.read(file)) as { readonly prompt: unknown }).prompt) // by its schema
}
