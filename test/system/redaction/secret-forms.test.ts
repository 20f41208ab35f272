import { describe, expect, test } from 'vitest'
import { openRedactor } from '../../../src/system/redaction/open-redactor.ts'
import { collectSecrets } from '../../../src/system/redaction/secret-forms.ts'

const value = 'abcdefgh-1234'

describe('variables whose names tell', () => {
  test.for([
    ...['KEY', 'API_KEY', 'APIKEY', 'apiKey', 'api_key', 'SSH_KEYS', 'KEY_2', 'KEY2', 'GITHUB_TOKEN', 'githubToken'],
    ...['CLIENT_SECRET_V2', 'PGPASSWORD'],
  ])('%s is a secret', (name) => {
    expect(collectSecrets({ [name]: value })).toEqual({ secrets: [{ name, value }] })
  })

  test.for(['HOME', 'KEYBOARD', 'XKB_KEYMAP', 'KEYTIMEOUT', 'keyboardLayout', 'PASS_THROUGH'])('%s is none', (name) => {
    expect(collectSecrets({ [name]: value })).toEqual({ secrets: [] })
  })

  test('are left alone where the value has fewer than 8 characters, counted as people see them', () => {
    const env = { A_TOKEN: '1234567', B_TOKEN: '😀😀😀😀', C_TOKEN: undefined, D_TOKEN: '12345678' }
    expect(collectSecrets(env).secrets).toEqual([{ name: 'D_TOKEN', value: '12345678' }])
  })
})

describe('listed variables', () => {
  test('come first, whatever they are called', () => {
    const env = { A_KEY: 'value of a', PLAIN: 'value of plain' }
    const { secrets } = collectSecrets(env, ['PLAIN'])
    expect(secrets.map(({ name }) => name)).toEqual(['PLAIN', 'A_KEY'])
  })

  test('that share a value with another are named once', () => {
    const env = { STRIPE: value, STRIPE_KEY: value }
    expect(openRedactor([env], { names: ['STRIPE'] }).redactor.redact(value)).toBe('***STRIPE***')
  })

  test('may be unset or empty', () => {
    expect(collectSecrets({ EMPTY: '  ' }, ['EMPTY', 'UNSET'])).toEqual({ secrets: [] })
  })

  test('that are too short are a problem that names them and keeps their values', () => {
    const { secrets, problem } = collectSecrets({ PIN: '987654', A_KEY: value }, ['PIN', 'A_KEY'])
    expect(new Set(secrets.map(({ name }) => name))).toEqual(new Set(['A_KEY']))
    expect(problem).toMatchObject({ code: 'OPTION_INVALID', message: expect.stringContaining('`PIN`') })
    expect(problem?.message).not.toContain('987654')
  })
})

test('white space around a value is not part of the secret', () => {
  expect(collectSecrets({ A_KEY: ` ${value}\n` }).secrets).toEqual([{ name: 'A_KEY', value }])
})
