import { readFileSync, readdirSync } from 'node:fs'
import fc, { anyCharacter } from '../../support/fast-check.ts'
import { describe, expect, test } from 'vitest'
import { parseResultLog } from '../../../src/records/result-log/parse-result-log.ts'

const corpus = new URL('../../../fixtures/logs/', import.meta.url)
const cases = readdirSync(corpus).map((file) => ({ file, expected: file.split('.', 1)[0] ?? '' }))
const textOf = (file: string): string => readFileSync(new URL(file, corpus), 'utf8')

describe('the corpus of logs', () => {
  test.for(cases)('$file', ({ file, expected }) => {
    const parsed = parseResultLog(textOf(file))
    expect(parsed.ok ? 'valid' : parsed.code).toBe(expected)
    if (!parsed.ok) expect(parsed.message).toMatch(/.{20,}\.$/)
  })

  test('holds valid logs and every code that a text can have', () => {
    expect([...new Set(cases.map((one) => one.expected))].toSorted()).toEqual([
      'LOG_INVALID_STATUS',
      'LOG_INVALID_YAML',
      'LOG_NO_FRONT_MATTER',
      'valid',
    ])
  })
})

describe('a valid log', () => {
  test('gives the full form as data', () => {
    expect(parseResultLog(textOf('valid.full.md'))).toEqual({
      ok: true,
      log: {
        status: 'pass',
        run: '7f3c9a',
        steps: [
          {
            id: '1-add-to-cart',
            status: 'pass',
            observed: 'cart badge shows 1',
            evidence: ['badge.png', { quote: '1 item in your cart' }],
            checks: [
              { n: 1, status: 'pass', observed: 'badge reads 1' },
              { line: 14, status: 'pass' },
            ],
          },
        ],
      },
      body: 'Narrative.\n',
    })
  })

  test('keeps text as written where YAML reads a number', () => {
    const parsed = parseResultLog(textOf('valid.text-that-looks-like-numbers.md'))
    expect(parsed.ok && [parsed.log.run, ...(parsed.log.steps ?? []).map((step) => step.observed)]).toEqual([
      '12e4567',
      '1',
      'true',
      '',
    ])
  })

  test('may use CRLF, also mixed with LF', () => {
    expect(parseResultLog('---\r\nstatus: pass\r\n---\r\nbody\r\n')).toEqual({
      ok: true,
      log: { status: 'pass' },
      body: 'body\r\n',
    })
    expect(parseResultLog('---\r\nstatus: pass\n---').ok).toBe(true)
  })

  test('ends its front matter at the first closing line', () => {
    expect(parseResultLog('---\nstatus: fail\n---\n---\nstatus: pass\n---\n')).toMatchObject({
      log: { status: 'fail' },
    })
  })
})

describe('messages', () => {
  test.for([
    ['\uFEFF---\nstatus: pass\n---\n', 'byte order mark'],
    ['', 'The file is empty.'],
    ['# Result\n', 'The first line is `"# Result"` (string)'],
    ['---\nstatus: passed\n---\n', 'got `"passed"` (string)'],
    ['---\nstatus: true\n---\n', 'got `true` (boolean)'],
    ['---\nstatus: [pass]\n---\n', 'got `["pass"]` (list)'],
    ['---\nrun: a\n---\n', 'there is none'],
    ['---\nstatus: pass\nstatus: fail\n---\n', 'the key `"status"` (string) occurs twice'],
    ['---\nstatus: pass\nsteps: [{ id: 1-a, status: passed }]\n---\n', '`steps[0].status`'],
    ['---\nstatus: pass\nsteps: [{ id: 1-a, status: pass, checks: 3 }]\n---\n', 'got `3` (number)'],
  ] as const)('for %j say %j', ([text, part]) => {
    const parsed = parseResultLog(text)
    expect(parsed.ok ? '' : parsed.message).toContain(part)
  })

  test('cut what was found to a short excerpt', () => {
    const parsed = parseResultLog('x'.repeat(1_000_000))
    expect(parsed.ok ? 0 : parsed.message.length).toBeLessThan(300)
  })
})

describe('size and nesting', () => {
  test('front matter of more than 256 KiB is too large', () => {
    const parsed = parseResultLog(`---\nstatus: pass\n# ${'x'.repeat(256 * 1024)}\n---\n`)
    expect(parsed).toMatchObject({ ok: false, code: 'LOG_TOO_LARGE' })
  })

  test.for([
    ['brackets', '['.repeat(100_000)],
    ['braces and commas', '{,'.repeat(60_000)],
    ['dashes', '- '.repeat(60_000)],
    ['keys on one line', 'a: '.repeat(60_000)],
    ['explicit keys', '? '.repeat(60_000)],
  ] as const)('front matter of nothing but %s is refused at once', ([, yaml]) => {
    expect(parseResultLog(`---\nstatus: pass\n${yaml}\n---\n`)).toMatchObject({ ok: false, code: 'LOG_INVALID_YAML' })
  })

  test('many keys are read in one walk', () => {
    const keys = Array.from({ length: 5000 }, (_, index) => `key${index}: 1`).join('\n')
    expect(parseResultLog(`---\nstatus: pass\n${keys}\n---\n`).ok).toBe(true)
  })
})

describe('any text', () => {
  const seeds = cases.map((one) => textOf(one.file)).filter((text) => text.length < 2000)
  const mutation = fc.record({
    at: fc.nat(2000),
    remove: fc.nat(6),
    insert: fc.oneof(
      fc.string({ maxLength: 4, unit: anyCharacter }),
      fc.constantFrom('---', '\n', ': ', '- ', '"', '{', '&a ', '*a'),
    ),
  })

  test('mutated logs never throw, and pass only with a line that says so', () => {
    fc.assert(
      fc.property(fc.constantFrom(...seeds), fc.array(mutation, { minLength: 1, maxLength: 4 }), (seed, mutations) => {
        const text = mutations.reduce((t, { at, remove, insert }) => {
          const place = at % (t.length + 1)
          return t.slice(0, place) + insert + t.slice(place + remove)
        }, seed)
        const parsed = parseResultLog(text)
        expect(parsed.ok === false || ['pass', 'fail'].includes(parsed.log.status)).toBe(true)
        if (parsed.ok && parsed.log.status === 'pass') expect(text).toMatch(/^---\r?\n[^]*status[^]*pass[^]*\n---/)
      }),
    )
  })

  test('arbitrary text is no valid log', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(parseResultLog(text).ok).toBe(false)
      }),
    )
  })
})

describe('a failure where nobody looks for it', () => {
  const codeOf = (frontMatter: string): string => {
    const parsed = parseResultLog(`---\n${frontMatter}\n---\n`)
    return parsed.ok ? 'valid' : parsed.code
  }

  test.for([
    'status: pass\nresults:\n  - { id: 1-a, status: fail }',
    'status: pass\nSteps:\n  - { id: 1-a, status: Blocked }',
    'status: pass\nsummary:\n  pay: { status: skipped }',
  ])('is no valid log: %j', (frontMatter) => {
    expect(codeOf(frontMatter)).toBe('LOG_INVALID_STATUS')
  })

  test.for([
    'status: pass\nhttp: { status: 200 }\nserver: { status: running }',
    'status: pass\nsteps: [{ id: 1-a, status: pass, attempts: [{ status: fail }] }]\nbefore: { status: fail }',
    'status: fail\nresults: [{ status: fail }]',
  ])('is not seen in %j', (frontMatter) => {
    expect(codeOf(frontMatter)).toBe('valid')
  })
})
