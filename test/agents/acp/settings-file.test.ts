import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readSettings } from '../../../src/agents/acp/acp-agents.ts'

test.each<[string, string, object]>([
  ['JSON', '{ "model": "m" }', { model: 'm' }],
  [
    'comments and trailing commas',
    '// Mine.\n{ "model": "http://m", /* x */ "list": [1,], }\n',
    { model: 'http://m', list: [1] },
  ],
  ['no JSON', '{ model', {}],
  ['no object', '[1]', {}],
])('settings with %s', (_, text, settings) => {
  const folder = mkdtempSync(join(tmpdir(), 'mdt-settings-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'settings.json')
  writeFileSync(file, text)
  expect(readSettings(file)).toEqual(settings)
})

test('settings that are not there', () => {
  expect(readSettings(join(tmpdir(), 'mdtest-no-such-file.json'))).toEqual({})
})
