import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { defaultSettings, createSession } from '../../src/commands/fix/loop/create-session.ts'
import type { AttemptMade, FinishedAct, TestsRan } from '../../src/commands/fix/session/history.ts'
import { sessionFolder } from '../../src/commands/fix/session/session-store.ts'
import { toStored, type SessionState } from '../../src/commands/fix/session/session-state.ts'
import type { Failure, TestResults } from '../../src/commands/fix/session/test-results.ts'

/** Tests ran, and these failed; what is known of them is in a file of this number. */
export function ran(number: number, failing: readonly string[], given: Partial<TestsRan> = {}): TestsRan {
  return {
    kind: 'tests-ran',
    purpose: 'after-attempt',
    total: 9,
    failing: [...failing],
    others: [],
    blocked: [],
    signature: failing.join(),
    resultsFile: `results/${number}.json`,
    ...given,
  }
}

/** An attempt that changed a file, but for what is given. */
export function attempted(summary: string, given: Partial<AttemptMade> = {}): AttemptMade {
  return {
    kind: 'attempt-made',
    outcome: 'done',
    summary,
    checkpoint: 'attempt-1',
    changedFiles: ['sum.mjs'],
    protectedChanges: [],
    contextUtilization: null,
    ...given,
  }
}

/** What a run said of tests that failed. */
export function results(failing: readonly Partial<Failure>[]): TestResults {
  const full = failing.map((failure) => ({ key: 'sum.test.mjs > adds', name: 'adds', message: 'is wrong', ...failure }))
  const none = { others: [], blocked: [], signature: '', is_parsed: true, summary_path: '' }
  return { total: 9, executed: null, failing: full, ...none }
}

interface WrittenSession {
  /** Absolute path of the project. */
  readonly root: string
  readonly id: string
  readonly history: readonly FinishedAct[]
  readonly state?: Partial<SessionState>
  /** By paths in the folder of the session; what is no text is written as JSON. */
  readonly files?: Readonly<Record<string, unknown>>
}

/** Leaves the folder of a session, as `mdtest fix` does. */
export async function writeFixSession({ root, id, history, state, files = {} }: WrittenSession): Promise<string> {
  const now = new Date('2026-01-02T03:04:05Z')
  const fresh = createSession({ feature: id, settings: { ...defaultSettings, root }, runMark: 'mdtest-0', now })
  const whole: SessionState = { ...fresh, session_id: id, history: [...history], ...state }
  const folder = sessionFolder(root, id)
  for (const [name, content] of Object.entries({ 'state.json': toStored(whole), ...files })) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}
