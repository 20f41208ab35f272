import { expect, it } from 'vitest'
import { readClaudeVersion, readCodexVersion } from '../../src/agents/read-version.ts'

const line = (value: unknown): string => JSON.stringify(value)
const init = (version: unknown): string => line({ type: 'system', subtype: 'init', claude_code_version: version })
const meta = (version: unknown): string => line({ type: 'session_meta', payload: { cli_version: version } })

it.each<[string, readonly string[], readonly string[], string | undefined]>([
  ['the stream says it', [init('2.1.330')], [line({ version: '2.1.1' })], '2.1.330'],
  ['the session file says it', ['no JSON', init(undefined)], ['', line({ type: 'user', version: '2.1.1' })], '2.1.1'],
  [
    'what a tool printed is no word of the program',
    [line({ type: 'user', claude_code_version: '9.9.9' })],
    [],
    undefined,
  ],
  ['it would break out of a comment', [init('2.1--> x')], [], undefined],
  ['nobody says it', [], [], undefined],
])('knows the version of Claude Code: %s', (_what, stream, transcript, version) => {
  expect(readClaudeVersion({ stream, transcript })).toBe(version)
})

it.each<[readonly string[], string | undefined]>([
  [[meta('0.169.0')], '0.169.0'],
  [[meta('0.170.0-alpha.3')], '0.170.0-alpha.3'],
  [[meta(1)], undefined],
  [[], undefined],
])('knows the version of codex', (transcript, version) => {
  expect(readCodexVersion({ stream: [], transcript })).toBe(version)
})
