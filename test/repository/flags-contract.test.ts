import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CommandSyntax, Flag } from '../../src/commands/common/command-syntax.ts'
import { commands } from '../../src/commands/commands.ts'
import { coverageSyntax } from '../../src/commands/coverage/coverage.ts'
import { demoSyntax } from '../../src/commands/demo/demo.ts'
import { docsSyntax } from '../../src/commands/docs/docs.ts'
import { fixSyntax } from '../../src/commands/fix/flags.ts'
import { gateSyntax } from '../../src/commands/gate/flags.ts'
import { initSyntax } from '../../src/commands/init/init.ts'
import { listSyntax } from '../../src/commands/list/list.ts'
import { mcpSyntax } from '../../src/commands/mcp/mcp.ts'
import { promoteSyntax } from '../../src/commands/promote/promote.ts'
import { recordSyntax } from '../../src/commands/record/record.ts'
import { reportSyntax } from '../../src/commands/report/report.ts'
import { sessionsSyntax } from '../../src/commands/report/sessions.ts'
import { runSyntax } from '../../src/commands/run/flags.ts'
import { showSyntax } from '../../src/commands/show/show.ts'
import { root } from './tracked-files.ts'

/** Each command, and the page that tells of its flags. */
const told: readonly (readonly [string, string, CommandSyntax])[] = [
  ['run', 'command-line', runSyntax],
  ['record', 'recordings', recordSyntax],
  ['promote', 'recordings', promoteSyntax],
  ['list', 'command-line', listSyntax],
  ['show', 'command-line', showSyntax],
  ['report', 'report', reportSyntax],
  ['coverage', 'coverage', coverageSyntax],
  ['gate', 'gate', gateSyntax],
  ['init', 'command-line', initSyntax],
  ['mcp', 'mcp', mcpSyntax],
  ['fix', 'fix/README', fixSyntax],
  ['sessions', 'fix/README', sessionsSyntax],
  ['demo', 'command-line', demoSyntax],
  ['docs', 'command-line', docsSyntax],
]

test('all commands are told of, by their names', () => {
  expect(told.map(([name]) => name)).toEqual(commands.map(({ name }) => name))
  expect(told.map(([, , { command }]) => command)).toEqual(commands.map(({ name }) => name))
})

test.each(told)('the flags of `mdtest %s` stand in docs/%s.md as code', (_, page, syntax) => {
  const text = readFileSync(join(root, `docs/${page}.md`), 'utf8')
  expect(Object.values(syntax.flags).filter((flag) => !isToldIn(text, flag))).toEqual([])
})

function isToldIn(text: string, { flag, short }: Flag): boolean {
  const names = short === undefined ? [`--${flag}`] : [`--${flag}`, `-${short}`]
  return names.some((name) => new RegExp(String.raw`\`[^\`\n]*(?<![\w-])${name}(?![\w-])`).test(text))
}

test.each(told)('no two flags of `mdtest %s` have one name or letter', (_, __, { flags }) => {
  const names = Object.values(flags).flatMap(({ flag, short }) => [flag, ...(short === undefined ? [] : [short])])
  expect([...names, 'help', 'h']).toEqual([...new Set([...names, 'help', 'h'])])
})
