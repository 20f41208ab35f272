import type { TestRunLimits } from '../../test-runners/run/test-run.ts'
import type { runTests } from '../../test-runners/run/run-tests.ts'

type Finished = Awaited<ReturnType<typeof runTests>>

/** What came of the same tests, run several times. */
export interface RepeatedRun extends Finished {
  /** Absent where once was asked for. */
  readonly repeated?: {
    readonly runs: number
    readonly passed: number
    /** Tests that failed, and in how many of the runs. */
    readonly failures: readonly { readonly name: string; readonly file?: string; readonly failed: number }[]
  }
}

/**
 * Runs tests as often as asked for, within one limit for all of it: fewer times where that is over. Gives the first run
 * that did not pass, else the last one.
 */
export async function repeatRun(
  { times, limits }: { readonly times: number; readonly limits: TestRunLimits },
  run: (limits: TestRunLimits) => Promise<Finished>,
): Promise<RepeatedRun> {
  const endsAtMs = performance.now() + limits.timeoutMs
  const first = await run(limits)
  const runs = [first]
  while (runs.length < times && runs.at(-1)?.testRun.status !== 'error') {
    const timeoutMs = Math.floor(endsAtMs - performance.now())
    if (timeoutMs <= 0) break
    runs.push(await run({ ...limits, timeoutMs }))
  }
  if (times === 1) return first
  const told = runs.find(({ testRun }) => testRun.status !== 'pass') ?? runs.at(-1) ?? first
  const passed = runs.filter(({ testRun }) => testRun.status === 'pass').length
  return { ...told, repeated: { runs: runs.length, passed, failures: failuresOf(runs) } }
}

function failuresOf(runs: readonly Finished[]): NonNullable<RepeatedRun['repeated']>['failures'] {
  const found = new Map<string, { name: string; file?: string; failed: number }>()
  for (const { testRun } of runs) {
    for (const { name, file } of testRun.failingTests) {
      const key = `${file}\n${name}`
      const known = found.get(key) ?? { name, ...(file !== undefined && { file }), failed: 0 }
      found.set(key, { ...known, failed: known.failed + 1 })
    }
  }
  return [...found.values()]
}
