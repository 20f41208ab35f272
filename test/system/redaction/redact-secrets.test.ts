import { describe, expect, test } from 'vitest'
import { collectSecrets } from '../../../src/system/redaction/redact-secrets.ts'

const value = 'abcdefgh-1234'

describe('variables whose names tell', () => {
  test.for([
    ...['KEY', 'API_KEY', 'APIKEY', 'apiKey', 'api_key', 'SSH_KEYS', 'KEY_2', 'KEY2', 'GITHUB_TOKEN', 'githubToken'],
    ...['CLIENT_SECRET_V2', 'PGPASSWORD'],
  ])('%s is a secret', (name) => {
    expect(collectSecrets({ env: { [name]: value }, names: [] })).toEqual({ secrets: [{ name, value }] })
  })

  test.for(['HOME', 'KEYBOARD', 'XKB_KEYMAP', 'KEYTIMEOUT', 'keyboardLayout', 'PASS_THROUGH'])('%s is none', (name) => {
    expect(collectSecrets({ env: { [name]: value }, names: [] })).toEqual({ secrets: [] })
  })

  test('are left alone where the value has fewer than 8 characters, counted as people see them', () => {
    const env = { A_TOKEN: '1234567', B_TOKEN: '😀😀😀😀', C_TOKEN: undefined, D_TOKEN: '12345678' }
    expect(collectSecrets({ env, names: [] }).secrets).toEqual([{ name: 'D_TOKEN', value: '12345678' }])
  })
})

describe('listed variables', () => {
  test('come first, whatever they are called', () => {
    const env = { A_KEY: 'value of a', PLAIN: 'value of plain' }
    const { secrets } = collectSecrets({ env, names: ['PLAIN'] })
    expect(secrets.map(({ name }) => name)).toEqual(['PLAIN', 'A_KEY'])
  })

  test('that share a value with another are named once', () => {
    const env = { STRIPE: value, STRIPE_KEY: value }
    expect(collectSecrets({ env, names: ['STRIPE'] })).toEqual({ secrets: [{ name: 'STRIPE', value }] })
  })

  test('may be unset or empty', () => {
    expect(collectSecrets({ env: { EMPTY: '  ' }, names: ['EMPTY', 'UNSET'] })).toEqual({ secrets: [] })
  })

  test('that are too short are a problem that names them and keeps their values', () => {
    const { secrets, problem } = collectSecrets({ env: { PIN: '987654', A_KEY: value }, names: ['PIN', 'A_KEY'] })
    expect(secrets).toEqual([{ name: 'A_KEY', value }])
    expect(problem).toMatchObject({ code: 'OPTION_INVALID', message: expect.stringContaining('`PIN`') })
    expect(problem?.message).not.toContain('987654')
  })
})

test('white space around a value is not part of the secret', () => {
  expect(collectSecrets({ env: { A_KEY: ` ${value}\n` }, names: [] }).secrets).toEqual([{ name: 'A_KEY', value }])
})
