import { expect } from 'vitest'
import type { FixReport } from '../../src/commands/fix/session/fix-report.ts'
import type { FinishedAct } from '../../src/commands/fix/session/finished-acts.ts'
import type { FixEnd, FixSession } from './fix-session.ts'

/** What has to have come of a session. */
export interface ExpectedFix {
  readonly exitCode: number
  readonly result: FixReport['result']
  /** What was done, from the first run of the tests on, as `tellStory` tells it. */
  readonly story: readonly string[]
  /** Files that are not as they were before, with what is in them now; all others have to be the same byte for byte. */
  readonly changed?: Readonly<Record<string, string>>
  /** Files of attempts that did not count, as the report names them; not looked at by default. */
  readonly leftOut?: readonly string[]
  /** What stands in `halt.md`. Without it there may be none. */
  readonly halt?: readonly (string | RegExp)[]
}

/** Looks at all that a session leaves: exit code, report, state, files, what a person gets to read, processes. */
export async function expectFix(session: FixSession, end: FixEnd, expected: ExpectedFix): Promise<void> {
  const { exitCode, result, story, changed = {}, leftOut, halt } = expected
  const { repository, filesBefore } = session
  const state = session.state()
  expect(tellStory(state.history), end.stderr).toEqual(story)
  expect([end.exitCode, end.report?.result], end.stderr).toEqual([exitCode, result])
  expect(JSON.parse(session.read('artifacts/report.json'))).toEqual(end.report)
  expect(state).toMatchObject({ result, reason: end.report?.reason, act: null, next_action: 'stop' })
  expect(state.state).toMatchObject({
    total_tests: end.report?.total_tests,
    failing_tests: end.report?.failing_tests,
    previous_attempts: end.report?.attempts,
    summaries: end.report?.summaries,
  })
  if (leftOut !== undefined) expect(end.report?.left_out.map(({ path }) => path)).toEqual(leftOut)
  expect(repository.files()).toEqual({ ...filesBefore, ...changed })
  expect(repository.git('diff', '--cached', '--name-only')).toBe('')
  expect(repository.git('log', '--format=%D %s')).toBe('HEAD -> main all of it\n')
  expect(session.has('artifacts/halt.md')).toBe(halt !== undefined)
  for (const part of halt ?? []) expect(session.read('artifacts/halt.md')).toMatch(part)
  if (halt !== undefined)
    expect(session.read('artifacts/halt.md')).toContain(`npx vitest-mdtest fix --resume ${state.session_id}`)
  expect(session.has('lock')).toBe(false)
  expect(session.model.strays).toEqual([])
  expect(await session.leftovers()).toEqual([])
}

/** A line for each act after the tests were configured. */
function tellStory(history: readonly FinishedAct[]): readonly string[] {
  return history.filter(({ kind }) => kind !== 'tests-configured').map(tellAct)
}

function tellAct(act: FinishedAct): string {
  switch (act.kind) {
    case 'tests-ran':
      return `${act.purpose}: ${act.failing.length} of ${act.total}`
    case 'attempt-made':
      return ['attempt', act.outcome, ...act.changedFiles].join(' ')
    case 'rolled-back':
      return ['undone', act.reason, ...act.names].join(' ')
    case 'summarized':
    case 'session-started':
      return `${act.kind} ${act.reason}`
    case 'broke':
      return act.message
    default:
      return act.kind
  }
}
