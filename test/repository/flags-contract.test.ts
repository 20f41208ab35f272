import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Flag } from '../../src/commands/common/command.ts'
import { commands } from '../../src/commands/main.ts'
import { documented } from './documented-commands.ts'
import { root } from './tracked-files.ts'

test('all commands are told of, by their names', () => {
  expect(documented.map(([name]) => name)).toEqual(commands.map(({ name }) => name))
  expect(documented.map(([, , { command }]) => command)).toEqual(commands.map(({ name }) => name))
})

test.each(documented)('the flags of `mdtest %s` stand in docs/%s.md as code', (_, page, syntax) => {
  const text = readFileSync(join(root, `docs/${page}.md`), 'utf8')
  expect(Object.values(syntax.flags).filter((flag) => !isToldIn(text, flag))).toEqual([])
})

function isToldIn(text: string, { flag, short }: Flag): boolean {
  const names = short === undefined ? [`--${flag}`] : [`--${flag}`, `-${short}`]
  return names.some((name) => new RegExp(String.raw`\`[^\`\n]*(?<![\w-])${name}(?![\w-])`).test(text))
}

test.each(documented)('no two flags of `mdtest %s` have one name or letter', (_, __, { flags }) => {
  const names = Object.values(flags).flatMap(({ flag, short }) => [flag, ...(short === undefined ? [] : [short])])
  expect([...names, 'help', 'h']).toEqual([...new Set([...names, 'help', 'h'])])
})
