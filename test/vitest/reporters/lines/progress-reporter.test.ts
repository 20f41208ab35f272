import { describe, expect, test } from 'vitest'
import type { ScenarioAtWork } from '../../../../src/host/protocol/progress.ts'
import {
  createReminder,
  formatAllAtWork,
  formatAtWork,
  formatStatus,
} from '../../../../src/vitest/reporters/lines/progress-reporter.ts'

const scenario: ScenarioAtWork = {
  id: 1,
  specFile: '/project/sub/notes.test.md',
  title: 'Tick off a note',
  attempt: 1,
  startedAtMs: 0,
}
const view = { root: '/project', nowMs: 65_000, columns: 200 }

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
    const cut = formatAtWork({ ...scenario, lastCall: 'x'.repeat(500) }, { ...view, columns: 60 })
    expect(cut).toHaveLength(60)
    expect(cut).toContain('1m 05s')
  })

  test('keeps the numbers where the name is long', () => {
    const line = formatAtWork({ ...scenario, title: 'x'.repeat(500) }, { ...view, columns: 60 })
    expect(line).toMatch(/^sub\/notes\.test\.md > x+… 1m 05s$/)
  })
})

describe('several scenarios', () => {
  const several = [1, 2, 3].map((id) => ({ ...scenario, id, title: `Number ${id}` }))

  test('are cut to so many lines', () => {
    expect(formatAllAtWork(several, { ...view, maxLines: 3 })).toHaveLength(3)
    expect(formatAllAtWork(several, { ...view, maxLines: 2 })).toEqual([
      'sub/notes.test.md > Number 1 1m 05s',
      '… and 2 more',
    ])
  })

  test('are the first and a count in the status line', () => {
    expect(formatStatus(several, view)).toBe('sub/notes.test.md > Number 1 1m 05s (+2)')
    expect(formatStatus(several, { ...view, columns: 30 })!.length).toBeLessThanOrEqual(30)
    expect(formatStatus([], view)).toBeUndefined()
  })
})

describe('the reminder', () => {
  test('is due after each interval of work, for each scenario by itself', () => {
    const reminder = createReminder(30_000)
    const late = { ...scenario, id: 2, startedAtMs: 20_000 }
    const dueAt = (nowMs: number): readonly number[] => reminder.due([scenario, late], nowMs).map(({ id }) => id)
    expect(dueAt(29_999)).toEqual([])
    expect(dueAt(31_000)).toEqual([1])
    expect(dueAt(50_000)).toEqual([2])
    expect(dueAt(60_999)).toEqual([])
    expect(dueAt(61_000)).toEqual([1])
  })
})
