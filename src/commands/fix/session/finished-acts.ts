import { z } from 'zod'
import { runnerNames } from '../../../test-runners/runners.ts'
import { describeLeftOut, leftOutSchema } from '../../attempt/changes/judge-changes.ts'

const testPurposes = ['baseline', 'after-attempt', 'confirm-failing', 'confirm-passing'] as const

const testsRan = z.object({
  kind: z.literal('tests-ran'),
  purpose: z.enum(testPurposes),
  total: z.int().min(0),
  lost: z.array(z.string()).exactOptional(),
  /** How many names of tests the run before, of the same code, had and this one has not. */
  unstable: z.int().min(0).optional(),
  /** Failures with names that the run before, of the same code, had not. */
  renamed: z.array(z.string()).optional(),
  failing: z.array(z.string()),
  /** Failures outside of the scope. They need not be fixed, but an attempt must not add any. */
  others: z.array(z.string()),
  blocked: z.array(z.string()),
  /** Hash of names and messages, without parts that change from run to run, such as times. */
  signature: z.string(),
  resultsFile: z.string(),
  written: z.array(z.string()).optional(),
})

/** How an attempt ended. `waiting`: the agent says that it waits for something outside of its control. */
const attemptOutcomes = ['done', 'no-change', 'waiting', 'broke-off'] as const

const attemptMade = z.object({
  kind: z.literal('attempt-made'),
  outcome: z.enum(attemptOutcomes),
  summary: z.string(),
  /** Name of the checkpoint before the attempt. The name of the checkpoint after it also has the suffix `-after`. */
  checkpoint: z.string(),
  changedFiles: z.array(z.string()),
  /** Changes that were undone before the tests ran. They are not in `changedFiles`. */
  leftOut: z.array(leftOutSchema).optional(),
  protectedChanges: z.array(z.string()),
  contextUtilization: z.number().min(0).max(1).nullable(),
})

const rollBackReasons = ['protected-files', 'made-worse', 'tests-lost'] as const
const freshStartReasons = ['stuck', 'context'] as const

/** An act that is finished. All acts, in order, are the history of a session. */
export const finishedActSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tests-configured'), runner: z.enum(runnerNames).nullable() }),
  testsRan,
  z.object({ kind: z.literal('prompt-written') }),
  attemptMade,
  z.object({ kind: z.literal('rolled-back'), reason: z.enum(rollBackReasons), names: z.array(z.string()) }),
  z.object({ kind: z.literal('summarized'), reason: z.enum(freshStartReasons) }),
  z.object({ kind: z.literal('session-started'), reason: z.enum(freshStartReasons) }),
  /** A limit of the session was reached while it waited for the agent's provider. No file was changed. */
  z.object({ kind: z.literal('waited'), reason: z.string() }),
  z.object({ kind: z.literal('broke'), message: z.string() }),
  /** The user resumed a stopped session. Before that, the user may have changed any file. */
  z.object({ kind: z.literal('resumed') }),
])

export type FinishedAct = z.infer<typeof finishedActSchema>
export type TestsRan = z.infer<typeof testsRan>
export type AttemptMade = z.infer<typeof attemptMade>
export type RollBackReason = (typeof rollBackReasons)[number]
export type FreshStartReason = (typeof freshStartReasons)[number]
export type TestPurpose = (typeof testPurposes)[number]

export const attemptSchema = z.object({
  attempt: z.int().min(1),
  session: z.int().min(1),
  outcome: z.enum(attemptOutcomes),
  summary: z.string(),
  changed_files: z.array(z.string()),
  left_out: z.array(leftOutSchema).optional(),
  verdict: z.string().nullable(),
  failing_after: z.int().min(0).nullable(),
})

export type Attempt = z.infer<typeof attemptSchema>

export function attemptsOf(history: readonly FinishedAct[]): readonly Attempt[] {
  const attempts: Attempt[] = []
  let session = 1
  let isOpen = false
  for (const act of history) {
    if (act.kind === 'session-started') session += 1
    if (act.kind === 'attempt-made') {
      const { outcome, summary, changedFiles, leftOut = [] } = act
      attempts.push({
        ...{ attempt: attempts.length + 1, session, outcome, summary, changed_files: changedFiles },
        ...(leftOut.length > 0 && { left_out: leftOut }),
        verdict: outcome === 'waiting' ? 'It had to wait.' : null,
        failing_after: null,
      })
      isOpen = true
    }
    const last = attempts.at(-1)
    if (last !== undefined && isOpen) attempts[attempts.length - 1] = { ...last, ...verdictOf(act) }
    // Later test runs do not judge the attempt: its changes were undone, or the user changed files.
    if (act.kind === 'rolled-back' || act.kind === 'resumed') isOpen = false
  }
  return attempts
}

export const whyUndone: Readonly<Record<RollBackReason, string>> = {
  'protected-files': 'it changed protected files',
  'made-worse': 'it made other tests fail',
  'tests-lost': 'tests that ran before were not executed any more',
}

function verdictOf(act: FinishedAct): Pick<Attempt, 'verdict' | 'failing_after'> | undefined {
  if (act.kind === 'tests-ran') {
    const failing = act.failing.length
    return { verdict: `It was kept: ${failing} of ${act.total} tests fail.`, failing_after: failing }
  }
  if (act.kind !== 'rolled-back') return undefined
  const names = act.names.length === 0 ? '.' : `: ${act.names.map((name) => `\`${name}\``).join(', ')}.`
  return { verdict: `It was undone, because ${whyUndone[act.reason]}${names}`, failing_after: null }
}

export function describeFiles({ changed_files: changed, left_out: leftOut = [], verdict }: Attempt): string {
  const files = changed.length === 0 ? 'no file' : changed.map((file) => `\`${file}\``).join(', ')
  const left = leftOut.length === 0 ? '' : ` Left out: ${describeLeftOut(leftOut)}.`
  return `Changed: ${files}.${left} ${verdict ?? ''}`
}

/** The agent's own report on its attempt (`implementer_status.json`). Only the tests decide whether it is true. */
export const implementerStatusSchema = z.object({
  status: z.enum(['done', 'no-change', 'waiting']),
  summary: z.string(),
  root_cause: z.string(),
  changed_files: z.array(z.string()),
})

export type ImplementerStatus = z.infer<typeof implementerStatusSchema>

export const implementerAnswerForm = '{ "status": "done", "summary": "…" }'

/** Also accepts shorter answers: only `status` and `summary`, or `{ fix_applied }` as for `mdtest gate`. */
export const implementerAnswerSchema = z.preprocess((answer) => {
  const { data } = z.object({ fix_applied: z.string() }).safeParse(answer)
  const told = data ? { status: 'done', summary: data.fix_applied } : answer
  return typeof told === 'object' ? { root_cause: '', changed_files: [], ...told } : told
}, implementerStatusSchema)
