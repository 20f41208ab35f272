import { describe, expect, test } from 'vitest'
import { describeFailure, describeInterruption, describeLate, StepFailure } from '../../src/plan/describe-failure.ts'
import { parseSpec } from '../../src/spec/parse-spec.ts'
import type { Reason, Verdict } from '../../src/verdict/verdict.ts'

const { spec } = parseSpec('---\nagent: none\n---\n\n# S\n\n## A\n\n```sh\n:\n```\n', { file: '/s.test.md' })
const scenario = spec.scenarios[0]!
const verdictOf = (outcome: Verdict['outcome'], ...reasons: readonly Reason[]): Verdict =>
  ({ outcome, reasons }) as unknown as Verdict // no more is read
const shown = { scenario, ordinal: 1, log: undefined, rate: undefined }
const failed = { code: 'RUN_FAILED', message: 'It failed.' } as const // a code

describe('what is shown of a step that failed', () => {
  test('is each reason and the log, at the first line that is known', () => {
    const verdict = verdictOf('fail', { ...failed, line: 9, file: '/inc.md' }, { ...failed, message: 'And so.' })
    const { message, places } = describeFailure(verdict, { ...shown, log: 's.logs/x.log.md' })
    expect(message).toBe('RUN_FAILED: It failed.\nRUN_FAILED: And so.\nLog: s.logs/x.log.md')
    expect(places).toMatchObject([{ line: 9, file: '/inc.md' }, { line: 7 }])
  })

  test('is its heading where no line is known', () => {
    const { places } = describeFailure(verdictOf('fail', failed), shown)
    expect(places.map(({ line }) => line)).toEqual([7, 7])
  })

  test('says that it was blocked and how often it passed', () => {
    const rate = { passed: 1, runs: 3, required: 2 }
    expect(describeFailure(verdictOf('blocked', failed), { ...shown, rate }).message).toBe(
      'blocked: passed in 1 of 3 runs, 2 required\nRUN_FAILED: It failed.',
    )
  })

  test('is first what a replay found, then what became of the agent', () => {
    const excuse = 'No key. This is not a failure of the product.'
    const verdict = verdictOf('blocked', { code: 'AGENT_NOT_FOUND', message: excuse, line: 7 })
    const reason = { code: 'REPLAY_DIFFERS', message: '- milk\n+ bread', line: 9, file: '/s.recording.md' }
    const source = { kind: 'handed-over', reason } as const // a kind
    const { message, places } = describeFailure(verdict, { ...shown, source })
    expect(message).toBe(
      'blocked: REPLAY_DIFFERS: - milk\n+ bread\nSo an agent had to decide whether the product is wrong, but none could:\nAGENT_NOT_FOUND: No key.',
    )
    expect(describeFailure(verdictOf('fail', failed), { ...shown, source }).message).toBe(
      'REPLAY_DIFFERS: - milk\n+ bread\nSo the agent did it:\nRUN_FAILED: It failed.',
    )
    expect(places).toMatchObject([{ line: 9, file: '/s.recording.md' }, { line: 7 }])
    const stale = { ...source, reason: { ...reason, code: 'REPLAY_STALE' } }
    expect(describeFailure(verdict, { ...shown, source: stale }).message).toBe(`blocked: AGENT_NOT_FOUND: ${excuse}`)
  })

  test('is the scenario where there is no such step', () => {
    const { places, message } = describeInterruption('stopped', { scenario, ordinal: 9 })
    expect(message).toBe('stopped')
    expect(places).toMatchObject([{ line: 5 }])
  })

  test('late findings are shown together, and none where there is none', () => {
    expect(describeLate([])).toBeUndefined()
    const found = [1, 2].map((line) => ({ ...failed, line }))
    expect(describeLate(found)).toMatchObject({
      places: found,
      message: 'RUN_FAILED: It failed.\nRUN_FAILED: It failed.',
    })
  })
})

describe('the error of a step', () => {
  test('has lines of the markdown as its stack, each once', () => {
    const { stack } = new StepFailure('/s.test.md', {
      message: 'No.',
      places: [{ line: 3 }, { line: 3 }, { line: 1, file: '/i.md' }],
    })
    expect(stack).toBe('StepFailure: No.\n    at /s.test.md:3:1\n    at /i.md:1:1')
  })

  test('gives Vitest no reason for advice on modules', () => {
    const { message, stack } = new StepFailure('/s', { message: "Unexpected token 'export'", places: [] })
    expect([message, stack]).toEqual(["Unexpected token 'export'", "StepFailure: Unexpected token\u00A0'export'"])
  })

  test('moves no cursor', () => {
    const { message, stack } = new StepFailure('/s.test.md', { message: 'a\u001b[31mb', places: [] })
    expect(`${message}${stack}`).not.toContain('\u001b')
  })
})
