import { describe, expect, test } from 'vitest'
import { createRedactor } from '../../../src/system/redaction/open-redactor.ts'

const value = 'p"ä/ß\\n&=+ key~!'
const { redact, createStream } = createRedactor([{ name: 'STRIPE_KEY', value }])
const mark = '***STRIPE_KEY***'

const form = new URLSearchParams({ '': value }).toString().slice(1)
const lowerHex = (text: string): string => text.replace(/%../g, (code) => code.toLowerCase())
const ascii = (text: string): string =>
  text.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

describe('a secret is found', () => {
  const json = JSON.stringify(value).slice(1, -1)
  test.for([
    ['as it is', value],
    ['JSON-escaped', json],
    ['JSON-escaped with the slash', json.replaceAll('/', '\\/')],
    ['JSON-escaped in ASCII', ascii(json)],
    ['JSON-escaped twice', JSON.stringify(json).slice(1, -1)],
    ['URL-encoded', encodeURIComponent(value)],
    ['URL-encoded with lower-case digits', lowerHex(encodeURIComponent(value))],
    ['URL-encoded as a whole address', encodeURI(value)],
    ['as the field of a form', form],
    ['as the field of a form with lower-case digits', lowerHex(form)],
  ] as const)('%s', ([, written]) => {
    expect(redact(`before ${written} after`)).toBe(`before ${mark} after`)
  })

  test.for([0, 1, 2, 3, 4, 5])('in base64 with %i bytes before it', (count) => {
    for (const encoding of ['base64', 'base64url'] as const) {
      const whole = Buffer.from(`${'x'.repeat(count)}${value}yyyyyyyyy`).toString(encoding)
      const redacted = redact(whole)
      expect(redacted).toContain(mark)
      // What is left holds the surroundings and at most one character with bits of the secret at each side.
      const [before = '', after = ''] = redacted.replaceAll('=', '').split(mark)
      expect(before.length).toBeLessThanOrEqual(Math.ceil((count * 8) / 6))
      expect(after.length).toBeLessThanOrEqual(Math.ceil((9 * 8) / 6) + 1)
    }
  })
})

test('a text without a secret is the same text', () => {
  const text = 'p"ä/ß\\n&=+ key~? and STRIPE_KEY'
  expect(redact(text)).toBe(text)
  expect(createRedactor([]).redact(text)).toBe(text)
})

describe('several secrets', () => {
  test('of which one contains the other have the mark of the longer', () => {
    const secrets = [
      { name: 'SHORT', value: '12345678' },
      { name: 'LONG', value: 'ab12345678cd' },
    ]
    const { redact: both } = createRedactor(secrets)
    expect(both('ab12345678cd 12345678 ab12345678c')).toBe('***LONG*** ***SHORT*** ab***SHORT***c')
  })

  test('that overlap become one mark', () => {
    const { redact: both } = createRedactor([
      { name: 'A', value: 'aaaa-bbbb' },
      { name: 'B', value: 'bbbb-ccccc' },
    ])
    expect(both('x aaaa-bbbb-ccccc x')).toBe('x ***B*** x')
  })

  test('that touch keep their marks', () => {
    const { redact: both } = createRedactor([
      { name: 'A', value: 'aaaa-aaab' },
      { name: 'B', value: 'bbbb-bbbc' },
    ])
    expect(both('aaaa-aaabbbbb-bbbc')).toBe('***A******B***')
  })
})

describe('the mark', () => {
  test('is made of other characters where a secret holds its own', () => {
    const starred = createRedactor([{ name: 'A_KEY', value: 'a***A_KE#' }])
    expect(starred.redact('a***A_KE#')).toBe('~~~A_KEY~~~')
  })

  test('does not give away a value that is also a name', () => {
    const named = createRedactor([{ name: 'STRIPE_KEY', value: 'STRIPE_KEY' }])
    expect(named.redact('STRIPE_KEY=STRIPE_KEY')).toBe('******=******')
  })
})

test('the lines of a secret are secrets, but not the frame of a PEM file', () => {
  const pem = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n-----END PRIVATE KEY-----'
  const { redact: lines } = createRedactor([{ name: 'PEM_KEY', value: pem }])
  expect(lines(pem)).toBe('***PEM_KEY***')
  expect(lines('out| -----BEGIN PRIVATE KEY-----\nout| MIIEvQIBADANBg\nout| kqhkiG9w0BAQEF')).toBe(
    'out| -----BEGIN PRIVATE KEY-----\nout| ***PEM_KEY***\nout| ***PEM_KEY***',
  )
})

describe('a stream', () => {
  test('passes on at once what cannot become a secret', () => {
    const stream = createStream()
    expect(stream.write('plain text\n')).toBe('plain text\n')
    expect(stream.write('more p"ä')).toBe('more ')
    expect(stream.write('!')).toBe('p"ä!')
    expect(stream.write('p"ä')).toBe('')
    expect(stream.end()).toBe('p"ä')
  })

  test('does not pile up a secret that repeats itself without end', () => {
    const stream = createRedactor([{ name: 'A_KEY', value: 'aaaaaaaa' }]).createStream()
    let output = ''
    for (let count = 0; count < 2000; count += 1) output += stream.write('a'.repeat(1000))
    expect(output + stream.write('b')).toMatch(/^(?:\*\*\*A_KEY\*\*\*){1,50}b$/)
  })
})
