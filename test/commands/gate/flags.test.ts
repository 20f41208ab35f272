import { expect, test } from 'vitest'
import { parseGateFlags } from '../../../src/commands/gate/flags.ts'

test('the flags of `mdtest gate`', () => {
  expect(parseGateFlags([])).toMatchObject({ action: 'run', hardTimeoutMs: 600_000 })
  expect(parseGateFlags([])).not.toHaveProperty('fixAttempts')
  const asked = [
    ...['-d', 'app', '--agent', 'command', '--fix-attempts', '0', '--allow', 'a', '--allow', 'b', '--max-cost-usd'],
    '.5',
  ]
  expect(parseGateFlags([...asked, '--timeout', '5s'])).toMatchObject({
    dir: 'app',
    agent: 'command',
    fixAttempts: 0,
    allow: ['a', 'b'],
    maxCostUsd: 0.5,
    hardTimeoutMs: 5_000,
  })
  expect(parseGateFlags(['-a', 'node fix.mjs "a b" {prompt}']).agent).toEqual({
    command: ['node', 'fix.mjs', 'a b', '{prompt}'],
  })
  expect(parseGateFlags(['--verify', 'a.json', '--rerun'])).toMatchObject({ action: 'verify', verify: 'a.json' })
  expect(parseGateFlags(['--hook']).action).toBe('add-hook')
  expect(parseGateFlags(['--hook', '--remove']).action).toBe('remove-hook')
})

test.each([
  [['--fix-attempts', 'two'], 'takes a whole number from 0 to 20, got `two`'],
  [['--fix-attempts', '21'], 'takes a whole number from 0 to 20'],
  [['--max-cost-usd', '0'], 'an amount in US dollars above 0'],
  [['--timeout', '5'], 'a duration such as 30s'],
  [
    ['--agent', 'cursor'],
    'Unknown agent `cursor`; `--agent` takes auto, claude, codex, opencode, gemini, copilot, qwen, command, none, `{ acp',
  ],
  [['--rerun'], '`--rerun` needs `--verify FILE`.'],
  [['--remove'], '`--remove` needs `--hook`.'],
  [['--verify', 'x', '--hook'], 'cannot be used with option'],
  [['--unknown'], 'see `npx vitest-mdtest gate --help`'],
  [['x'], 'Unexpected `x`'],
])('%j is refused', (args, message) => {
  expect(() => parseGateFlags(args)).toThrow(message)
})
