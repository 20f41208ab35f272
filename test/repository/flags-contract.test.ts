import { expect, test } from 'vitest'
import { commands } from '../../src/commands/main.ts'
import { documented } from './documented-commands.ts'

test('all commands are told of, by their names', () => {
  expect(documented.map(([name]) => name)).toEqual(commands.map(({ name }) => name))
  expect(documented.map(([, , { command }]) => command)).toEqual(commands.map(({ name }) => name))
})

test.each(documented)('no two flags of `mdtest %s` have one name or letter', (_, __, { flags }) => {
  const names = Object.values(flags).flatMap(({ flag, short }) => [flag, ...(short === undefined ? [] : [short])])
  expect([...names, 'help', 'h']).toEqual([...new Set([...names, 'help', 'h'])])
})
