import { expect, test } from 'vitest'
import { credentialSecrets, withoutCredentials } from '../../../src/spec/browser/credentials.ts'
import { openRedactor } from '../../../src/system/redaction/open-redactor.ts'

test('nothing of a password is left in any form, also in a header', () => {
  const { baseUrl, credentials } = withoutCredentials('https://ann:s%C3%A4cret-1@staging.example.com/app')
  expect(baseUrl).toBe('https://staging.example.com/app')
  const { redactor } = openRedactor([], { others: credentialSecrets(credentials) })
  const pair = 'ann:säcret-1'
  const forms = [
    pair,
    'säcret-1',
    's%C3%A4cret-1',
    'https://ann:s%C3%A4cret-1@staging.example.com',
    `Basic ${Buffer.from(pair).toString('base64')}`,
    `"authorization":"Basic ${Buffer.from(pair).toString('base64')}"`,
  ]
  for (const form of forms) {
    const text = redactor.redact(`before ${form} behind`)
    expect(text).toContain('***')
    expect(text.replaceAll(/\*\*\*[\w-]*\*\*\*|\*\*\*/g, '')).not.toMatch(/cret|MQ|==|%C3/)
  }
})
