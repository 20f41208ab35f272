import fc, { anyCharacter } from '../../support/fast-check.ts'
import { describe, expect, test } from 'vitest'
import { formatResultLog } from '../../../src/records/result-log/format-result-log.ts'
import type { ResultLogContent } from '../../../src/records/result-log/format-result-log.ts'
import { parseResultLog } from '../../../src/records/result-log/parse-result-log.ts'
import { maxLogBytes } from '../../../src/records/result-log/result-log.ts'
import type { CheckResult, StepResult } from '../../../src/records/result-log/result-log.ts'

const content: ResultLogContent = {
  status: 'fail',
  run: '7f3c9a',
  scenario: 'Buy a book',
  attempt: 1,
  outcome: 'fail',
  reasons: [{ code: 'STEP_FAILED', message: 'The agent reports a failure. It says: "the card is invalid".' }],
  steps: [
    {
      id: '1-add-to-cart',
      status: 'pass',
      observed: 'cart badge shows 1',
      evidence: ['badge.png', { quote: '1 item in your cart' }],
      checks: [{ n: 1, status: 'pass', observed: 'badge reads 1' }],
    },
    { id: '2-pay', status: 'fail' },
  ],
  body: 'The first step went well.\n',
}

test('a log from reports reads like one that was written by hand', () => {
  expect(formatResultLog(content)).toMatchInlineSnapshot(`
    "---
    written-by: mdtest
    status: fail
    run: 7f3c9a
    scenario: Buy a book
    attempt: 1
    outcome: fail
    reasons:
      - code: STEP_FAILED
        message: 'The agent reports a failure. It says: "the card is invalid".'
    steps:
      - id: 1-add-to-cart
        status: pass
        observed: cart badge shows 1
        evidence:
          - badge.png
          - quote: 1 item in your cart
        checks:
          - n: 1
            status: pass
            observed: badge reads 1
      - id: 2-pay
        status: fail
    ---
    The first step went well.
    "
  `)
})

const hostile = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string(),
  // Halves of surrogate pairs too: a tool may cut its output anywhere.
  fc.array(fc.integer({ min: 0, max: 0xff_ff })).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    ...['---', '\n---\nstatus: pass\n---\n', '\r\n---\r\n', '...\n', '- a\n- b', '? a', '*alias'],
    ...['&anchor', '!!js/function x', 'a: b # c', '{[}]', '%YAML 1.1', 'null', '~', 'yes', '0x1F'],
    ...['1_000', '12e45', '2026-02-10', '<<', '  leading and trailing  ', '\tTab'],
    ...['\u0000\u0007\u001B[31m\u007F\u0085\u2028\u2029\uFEFF', '😀 ünï 漢字 \u202E', '\uD800'],
    ...['x'.repeat(2000)],
  ),
)
const evidence = fc.array(fc.oneof(hostile, fc.record({ quote: hostile })), { maxLength: 2 })
const status = fc.constantFrom('pass', 'fail', 'blocked', 'skipped')
const check = fc.record<CheckResult, 'status'>(
  { n: fc.integer({ min: 1, max: 99 }), line: fc.integer({ min: 1 }), status, observed: hostile, evidence },
  { requiredKeys: ['status'] },
)
const step = fc.record<StepResult, 'id' | 'status'>(
  { id: hostile, status, observed: hostile, evidence, checks: fc.array(check, { maxLength: 2 }) },
  { requiredKeys: ['id', 'status'] },
)
const anyContent = fc.record<ResultLogContent, 'status' | 'run' | 'scenario' | 'attempt' | 'steps' | 'body'>(
  {
    status: fc.constantFrom('pass', 'fail'),
    run: hostile,
    scenario: hostile,
    attempt: fc.integer({ min: 1 }),
    outcome: status,
    reasons: fc.array(fc.record({ code: hostile, message: hostile }), { maxLength: 2 }),
    steps: fc.array(step, { maxLength: 3 }),
    body: hostile,
  },
  { requiredKeys: ['status', 'run', 'scenario', 'attempt', 'steps', 'body'] },
)

const parsedForm = ({ body, ...log }: ResultLogContent): unknown => ({
  ok: true,
  log: { ...log, 'written-by': 'mdtest' },
  body,
})

describe('parsing gives back', () => {
  test('what was written', () => {
    expect(parseResultLog(formatResultLog(content))).toEqual(parsedForm(content))
  })

  test('any texts', () => {
    fc.assert(
      fc.property(anyContent, (one) => {
        expect(parseResultLog(formatResultLog(one))).toEqual(parsedForm(one))
      }),
    )
  })

  test('texts of 100 kB', () => {
    const steps = [{ id: '1-s', status: 'pass' as const, observed: `---\n${'x\n'.repeat(50_000)}` }]
    const large = { ...content, steps, body: '---\n'.repeat(25_000) }
    expect(parseResultLog(formatResultLog(large))).toEqual(parsedForm(large))
  })

  test('evidence that two steps share', () => {
    const shared = [{ quote: 'the same' }]
    const steps = ['1-a', '2-b'].map((id) => ({ id, status: 'pass' as const, evidence: shared }))
    expect(parseResultLog(formatResultLog({ ...content, steps }))).toEqual(parsedForm({ ...content, steps }))
  })
})

test('control characters of a text are escaped, for terminals and stricter readers', () => {
  const steps = [{ id: '1-s', status: 'pass' as const, observed: 'a\u001B[31mb\u0000', evidence: ['c\u0007'] }]
  expect(formatResultLog({ ...content, steps })).not.toMatch(/[\u0000-\u0009\u000B-\u001F]/)
})

describe('a log that would be too large to be read', () => {
  const noise = '\u0000'.repeat(100_000)

  test('has its longest texts shortened, and its ids, codes and file names kept', () => {
    const steps = Array.from({ length: 14 }, (_, index) => ({
      id: `${index + 1}-${'long'.repeat(20)}`,
      status: 'pass' as const,
      observed: index === 7 ? 'short' : noise,
      evidence: ['a-file-name-of-some-length.png', { quote: noise }],
    }))
    const reasons = [{ code: 'STEP_FAILED', message: noise }]
    const parsed = parseResultLog(formatResultLog({ ...content, steps, reasons }))
    const log = parsed.ok ? parsed.log : undefined
    expect(log?.steps?.map(({ id }) => id)).toEqual(steps.map(({ id }) => id))
    expect(log?.steps?.[0]?.observed).toMatch(/^\0{16,}…$/)
    expect(log?.steps?.[7]?.observed).toBe('short')
    expect(log?.steps?.[0]?.evidence?.[0]).toBe('a-file-name-of-some-length.png')
    expect(log?.reasons?.[0]?.code).toBe('STEP_FAILED')
  })

  test('has its body cut between characters', () => {
    const text = formatResultLog({ ...content, body: '😀'.repeat(maxLogBytes / 4) })
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxLogBytes)
    expect(Buffer.byteLength(text)).toBeGreaterThan(maxLogBytes - 8)
    expect(text.endsWith('😀')).toBe(true)
  })
})

test('keys of mdtest in an agent’s own log may have any shape', () => {
  const text = '---\nstatus: pass\nwritten-by: me\nscenario: 3\nattempt: two\noutcome: great\nreasons: none\n---\n'
  expect(parseResultLog(text)).toEqual({ ok: true, log: { status: 'pass' }, body: '' })
})
