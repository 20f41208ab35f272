import { expect, test } from 'vitest'
import { MdtestError } from '../../../src/system/mdtest-error.ts'
import { openRedactor } from '../../../src/system/redaction/open-redactor.ts'
import { redactError, redactTexts } from '../../../src/system/redaction/redact-texts.ts'
const redact = (text: string): string => text.replaceAll('geheimnis', '***KEY***')

test('texts at any depth are redacted, but not what programs compare', () => {
  const evidence = {
    kind: 'geheimnis',
    steps: [{ id: '1-geheimnis', observed: 'geheimnis', evidence: ['geheimnis', { quote: 'geheimnis' }] }],
    at: 1,
    none: undefined,
    denied: true,
  }
  expect(redactTexts(evidence, redact)).toEqual({
    kind: 'geheimnis',
    steps: [{ id: '1-geheimnis', observed: '***KEY***', evidence: ['***KEY***', { quote: '***KEY***' }] }],
    at: 1,
    none: undefined,
    denied: true,
  })
})

test('an error keeps its code and loses what would show the secret', () => {
  const error = new MdtestError('HOST_COPY_FAILED', 'saw geheimnis', { cause: new Error('geheimnis') })
  const clean = redactError(error, redact)
  expect(clean).toMatchObject({ code: 'HOST_COPY_FAILED', message: 'saw ***KEY***' })
  expect(JSON.stringify(Object.getOwnPropertyNames(clean))).not.toContain('cause')
  expect(clean instanceof Error && clean.stack).not.toContain('geheimnis')
  const plain = new Error('fine')
  expect(redactError(plain, redact)).toBe(plain)
})

test('secrets come from each environment, with those that are in none', () => {
  const { redactor, problem } = openRedactor(
    [{ A_TOKEN: 'value-of-a', PLAIN: 'value-of-plain' }, { A_TOKEN: 'other-value-of-a' }],
    { names: ['PLAIN'], others: [{ name: 'OTHER', value: 'value-of-other' }] },
  )
  const text = 'value-of-a, other-value-of-a, value-of-plain, value-of-other'
  expect(redactor.redact(text)).toBe('***A_TOKEN***, ***A_TOKEN***, ***PLAIN***, ***OTHER***')
  expect(problem).toBeUndefined()
})

test('a listed secret that is too short in one environment is a problem; the others are taken out all the same', () => {
  const { redactor, problem } = openRedactor([{ PIN: '123456' }, { PIN: 'long-enough' }], { names: ['PIN'] })
  expect(problem).toMatchObject({ code: 'OPTION_INVALID' })
  expect(redactor.redact('123456 long-enough')).toBe('123456 ***PIN***')
})
