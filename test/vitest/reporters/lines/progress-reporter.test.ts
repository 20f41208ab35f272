import { describe, expect, test, vi } from 'vitest'
import { Progress } from '../../../../src/host/protocol/agents-at-work.ts'
import type { ScenarioAtWork } from '../../../../src/host/protocol/agents-at-work.ts'
import { formatAtWork, progressReporter } from '../../../../src/vitest/reporters/lines/progress-reporter.ts'

const scenario: ScenarioAtWork = {
  specFile: '/project/sub/notes.test.md',
  title: 'Tick off a note',
  attempt: 1,
  startedAtMs: 0,
}
const view = { root: '/project', nowMs: 65_000 }

describe('the line of a scenario at work', () => {
  test('names spec and scenario, then says how long', () => {
    expect(formatAtWork(scenario, view)).toBe('sub/notes.test.md > Tick off a note 1m 05s')
    expect(formatAtWork({ ...scenario, attempt: 2 }, { ...view, nowMs: 3_720_000 })).toBe(
      'sub/notes.test.md > Tick off a note (attempt 2) 1h 02m',
    )
  })

  test('has the last call and what was used', () => {
    const spent = { inputTokens: 12_000, outputTokens: 300 }
    expect(formatAtWork({ ...scenario, spent, lastCall: 'node notes.mjs list' }, view)).toBe(
      'sub/notes.test.md > Tick off a note 1m 05s, 12 k tokens in, 300 out: node notes.mjs list',
    )
  })

  test('is one line that a terminal does not obey, no longer than asked for', () => {
    const lastCall = 'cat <<EOF\n\u001b[2J\u202eeof\nEOF'
    expect(formatAtWork({ ...scenario, lastCall }, view)).toMatch(/: cat <<EOF \\x1b\[2J\\u202eeof EOF$/)
    const cut = formatAtWork({ ...scenario, lastCall: 'x'.repeat(500) }, view)
    expect(cut).toHaveLength(200)
    expect(cut).toContain('1m 05s')
  })

  test('keeps the numbers where the name is long', () => {
    const line = formatAtWork({ ...scenario, title: 'x'.repeat(500) }, view)
    expect(line).toMatch(/^sub\/notes\.test\.md > x+… 1m 05s$/)
  })
})

test('a scenario at work has a line for each of its minutes, until the run ends', () => {
  vi.useFakeTimers({ now: 0 })
  try {
    const lines: string[] = []
    const progress = new Progress()
    const reporter = progressReporter(progress)
    const vitest = { config: { root: '/project', reporters: [] }, logger: { log: (text: string) => lines.push(text) } }
    Reflect.apply(reporter.onInit ?? (() => {}), reporter, [vitest])
    void reporter.onTestRunStart?.([])
    progress.begin(scenario)
    progress.begin({ ...scenario, title: 'Later', startedAtMs: 70_500 })
    vi.advanceTimersByTime(131_000)
    void reporter.onTestRunEnd?.([], [], 'passed')
    vi.advanceTimersByTime(125_000)
    expect(lines).toEqual(
      ['Tick off a note 1m', 'Tick off a note 2m', 'Later 1m'].map((line) => `mdtest: sub/notes.test.md > ${line} 00s`),
    )
  } finally {
    vi.useRealTimers()
  }
})
