import { describe, expect, test } from 'vitest'
import { Attempts } from '../../src/plan/scenario-attempts.ts'
import type { StartRun } from '../../src/plan/recordings/record-run.ts'
import { resolveOptions } from '../../src/plan/options/option-defaults.ts'
import { resolveSpecSettings } from '../../src/plan/options/spec-settings.ts'
import type { ScenarioRun } from '../../src/scenario/scenario-run.ts'
import type { SettledStep } from '../../src/scenario/settled-step.ts'
import { parseSpec } from '../../src/spec/parse-spec.ts'
import type { ReasonCode, Verdict } from '../../src/verdict/verdict.ts'

const { spec } = parseSpec('---\nagent: none\n---\n\n# S\n\n## A\n\n```sh\n:\n```\n\n## B\n\n```sh\n:\n```\n', {
  file: '/s.test.md',
})
const [scenario] = spec.scenarios
const usage = { inputTokens: 1, outputTokens: 2, durationMs: 3 }

function verdictOf(outcome: Verdict['outcome'], code?: ReasonCode): Verdict {
  return { outcome, reasons: code === undefined ? [] : [{ code, message: 'm' }] } as unknown as Verdict // no more is read
}

/** The attempts at a scenario whose runs end as the verdicts say, one after the other, and what was done in which order. */
function useAttempts(...verdicts: readonly Verdict[]) {
  const done: string[] = []
  let runs = 0
  const startRun: StartRun = ({ attempt }) => {
    runs += 1
    const run = runs
    done.push(`start ${attempt}`)
    const made: Pick<ScenarioRun, 'isWaiting' | 'settle' | 'finish' | 'acceptedRewrites'> = {
      isWaiting: false,
      async settle(ordinal) {
        done.push(`settle ${ordinal} in ${run}`)
        return { verdict: verdicts[run - 1] ?? verdictOf('pass'), usage, rewritten: [] } satisfies SettledStep
      },
      async finish() {
        done.push(`finish ${run}`)
        return []
      },
      async acceptedRewrites() {
        return new Map()
      },
    }
    return made as unknown as ScenarioRun // no more is used
  }
  const attempts = new Attempts(
    { settings: resolveSpecSettings(spec, resolveOptions({}), {}) },
    { env: {}, mayStart: true },
  )
  const settle = async (ordinal: number, isRetry = false): Promise<SettledStep> => {
    if (scenario === undefined) throw new Error('the spec has a scenario')
    const selected = new Set([1, 2])
    return attempts.settle({ scenario, ordinal, isRetry, selected, signal: new AbortController().signal }, startRun)
  }
  return { attempts, settle, done }
}

describe('attempts at a scenario', () => {
  test('all steps are settled in one run', async () => {
    const { settle, done } = useAttempts()
    await settle(1)
    await settle(2)
    expect(done).toEqual(['start 1', 'settle 1 in 1', 'settle 2 in 1'])
  })

  test('a retry is a new run, once the one before has ended', async () => {
    const { settle, done } = useAttempts(verdictOf('fail'))
    await settle(1)
    expect((await settle(1, true)).verdict.outcome).toBe('pass')
    await settle(2)
    expect(done).toEqual(['start 1', 'settle 1 in 1', 'start 2', 'finish 1', 'settle 1 in 2', 'settle 2 in 2'])
  })

  test.each<[Verdict['outcome'], ReasonCode, boolean]>([
    ['blocked', 'AGENT_AUTH', true],
    ['blocked', 'AGENT_BUDGET', true],
    ['fail', 'SOURCE_MODIFIED', true],
    ['blocked', 'SPEC_MODIFIED', true],
    ['fail', 'AGENT_AUTH', false],
    ['blocked', 'AGENT_TIMEOUT', false],
  ])('after %s by %s a retry is in vain: %s', async (outcome, code, isInVain) => {
    const { settle, done } = useAttempts(verdictOf(outcome, code))
    await settle(1)
    const again = await settle(1, true)
    expect(done.filter((what) => what.startsWith('start'))).toHaveLength(isInVain ? 1 : 2)
    expect(again.verdict.outcome).toBe(isInVain ? outcome : 'pass')
    // What one agent used is told once.
    expect(again.usage).toEqual(isInVain ? undefined : usage)
  })

  test('the last one is finished, and only where there was one', async () => {
    const { attempts, settle, done } = useAttempts()
    expect(await attempts.finish(1)).toEqual([])
    await settle(1)
    await attempts.finish(1)
    await attempts.finish(2)
    expect(done).toEqual(['start 1', 'settle 1 in 1', 'finish 1'])
    expect(await attempts.acceptedRewrites()).toHaveLength(1)
  })
})
