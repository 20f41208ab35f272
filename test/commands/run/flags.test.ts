import { expect, test } from 'vitest'
import { parseRunFlags } from '../../../src/commands/run/flags.ts'

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

test.each([
  [[], undefined],
  [['--executor', 'mdtest'], { mode: 'mdtest' }],
  [['--executor.sandbox', 'require'], { sandbox: 'require' }],
  [['--executor=agent', '--executor.sandbox=off', 'a.test.md'], { mode: 'agent', sandbox: 'off' }],
])('%j: executor are %j, and nothing that was not said', (args, expected) => {
  const { settings } = parseRunFlags(args)
  expect(settings.executor).toEqual(expected)
  expect(Object.keys(settings)).toEqual(expected === undefined ? [] : ['executor'])
})

test.each([
  [['--executor', 'own'], '`--executor` takes agent, mdtest, got `own`.'],
  [['--executor.sandbox', 'always'], '`--executor.sandbox` takes require, auto, off, got `always`.'],
  [['--executor.sanbox', 'off'], 'Did you mean `--executor.sandbox`?'],
])('%j is refused', (args, message) => {
  expect(() => parseRunFlags(args)).toThrow(message)
})
