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
