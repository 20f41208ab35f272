import { expect, test } from 'vitest'
import { parseFlags } from '../../../src/commands/common/define-command.ts'
import { gateSyntax, toGateFlags, type GateFlags } from '../../../src/commands/gate/flags.ts'

const parse = (args: readonly string[]): GateFlags => toGateFlags(parseFlags(args, gateSyntax).values)

test('the flags of `mdtest gate`', () => {
  expect(parse([])).toMatchObject({ hardTimeoutMs: 600_000 })
  expect(parse([])).not.toHaveProperty('fixAttempts')
  const asked = [
    ...['--dir', 'app', '--agent', 'command', '--fix-attempts', '0', '--allow', 'a', '--allow', 'b', '--max-cost-usd'],
    '.5',
  ]
  expect(parse([...asked, '--timeout', '5s'])).toMatchObject({
    dir: 'app',
    agent: 'command',
    fixAttempts: 0,
    allow: ['a', 'b'],
    maxCostUsd: 0.5,
    hardTimeoutMs: 5_000,
  })
  expect(parse(['-a', 'node fix.mjs "a b" {prompt}']).agent).toEqual({
    command: ['node', 'fix.mjs', 'a b', '{prompt}'],
  })
  expect(parse(['--verify', 'a.json', '--rerun'])).toMatchObject({ rerun: true, verify: 'a.json' })
})

test.each([
  [['--fix-attempts', 'two'], 'takes a whole number from 0 to 20, got `two`'],
  [['--fix-attempts', '21'], 'takes a whole number from 0 to 20'],
  [['--max-cost-usd', '0'], 'an amount in US dollars above 0'],
  [['--timeout', '5'], 'a duration such as 30s'],
  [
    ['--agent', 'cursor'],
    'Unknown agent `cursor`; `--agent` takes auto, claude, codex, opencode, gemini, copilot, qwen, command, none. For any other',
  ],
  [['--rerun'], '`--rerun` needs `--verify FILE`.'],
  [['--remove'], '`--remove` needs `--hook`.'],
  [['--verify', 'x', '--hook'], 'cannot be used with option'],
  [['--root', 'app'], "Unknown option '--root'. Use `--dir DIR`. See"],
  [['--unknown'], 'see `npx vitest-mdtest gate --help`'],
  [['x'], 'Unexpected `x`'],
])('%j is refused', (args, message) => {
  expect(() => parse(args)).toThrow(message)
})
