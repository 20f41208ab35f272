import { expect, test } from 'vitest'
import { parseFlags } from '../../../src/commands/common/define-command.ts'
import { fixSyntax, toFixFlags } from '../../../src/commands/fix/flags.ts'
import { runSyntax, toRunFlags, type RunFlags } from '../../../src/commands/run/flags.ts'

function parseRunFlags(args: readonly string[]): RunFlags {
  const { values, positionals } = parseFlags(args, runSyntax)
  return toRunFlags({ ...values, paths: positionals })
}

test.each([
  [['--reproduce'], true],
  [['--reproduce=warn'], 'warn'],
  [['--reproduce=false'], false],
  [['--reproduce=true', 'a.test.md'], true],
  [[], undefined],
])('%j: what agents did is repeated: %s', (args, expected) => {
  expect(parseRunFlags(args).settings.reproduce).toBe(expected)
})

test('`--reproduce` takes no other word', () => {
  expect(() => parseRunFlags(['--reproduce=maybe'])).toThrow('`--reproduce` takes nothing, warn or false, got `maybe`.')
})

test('who executes, and in what', () => {
  const { settings } = parseRunFlags(['--executor=agent', '--sandbox', 'require', 'a.test.md'])
  expect(settings).toEqual({ executor: 'agent', sandbox: 'require' })
})

test.each([
  [['--executor', 'own'], '`--executor` takes auto, mdtest, agent, got `own`.'],
  [['--sandbox', 'always'], '`--sandbox` takes auto, require, off, got `always`.'],
  [['--sanbox', 'off'], 'Did you mean `--sandbox`?'],
  [['--hands', 'mdtest'], 'Write `executor`'],
  [['--hands.sandbox', 'off'], 'Write `executor`'],
  [['--evidence=require'], 'Write `minAssurance`'],
])('%j is refused', (args, message) => {
  expect(() => parseRunFlags(args)).toThrow(message)
})

test('settings travel as one object, with nothing else in it', () => {
  const all = ['a.md', '-a', 'none', '-d', 'b', '--timeout', '5s', '-A', '--allow', 'c', '--headless', '-u', '--report']
  const { settings, ...others } = parseRunFlags(all)
  expect(settings).toEqual({ agent: 'none', hardTimeoutMs: 5_000, dangerouslyAllowAllActions: true, allow: ['c'] })
  expect(others).toMatchObject({ paths: ['a.md'], dir: 'b', interface: 'never', update: true, report: '' })
  const ofFix = parseFlags(['-f', 'x', '--max-minutes', '.5', '--docs', 'a', '--json'], fixSyntax)
  expect(toFixFlags(ofFix.values).settings).toEqual({
    max_minutes: 0.5,
    docs: ['a'],
  })
})
