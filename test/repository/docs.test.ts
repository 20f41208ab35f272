import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root, trackedFiles } from './tracked-files.ts'

const bin = join(root, 'dist', 'bin.js')
const pages = trackedFiles().filter((file) => /^(?:README\.md|docs\/.*\.md)$/.test(file))
const text = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n')

describe('the README and the pages of docs/', () => {
  test('name every flag and command of `mdtest --help`', () => {
    const { commands, flags } = readHelp(execFileSync(process.execPath, [bin, '--help'], { encoding: 'utf8' }))
    expect(flags.length).toBeGreaterThan(0)
    expect(commands).toContain('run')
    const flagsOfCommands = commands.flatMap(
      (command) => readHelp(execFileSync(process.execPath, [bin, command, '--help'], { encoding: 'utf8' })).flags,
    )
    const missing = [...new Set([...flags, ...flagsOfCommands])].filter((flag) => !hasWord(text, flag))
    expect(missing).toEqual([])
    expect(commands.filter((command) => !text.includes(`mdtest ${command}`))).toEqual([])
  })

  describe('shows what is called how in other tools', () => {
    const rows = readTable(readFileSync(join(root, 'docs/coming-from.md'), 'utf8'))
    const fixtures = { scrut: 'coming-from-scrut', here: 'coming-from' } as const
    test.each(['scrut', 'here'] as const)('and what is in the column `%s` runs', (column) => {
      const spec = readFileSync(join(root, 'fixtures', 'blocks', fixtures[column], 'spec.md'), 'utf8')
      const entries = rows.flatMap((row) => readCode(row[column] ?? ''))
      expect(entries.length).toBeGreaterThan(15)
      // What has no counterpart would be a problem of the spec.
      expect(entries.filter((entry) => !spec.includes(entry))).toEqual(column === 'scrut' ? ['interpolated: true'] : [])
    })
  })
})

/** The long flags in a help text, and the commands: names before two spaces under `Commands:`. */
function readHelp(help: string): { readonly commands: readonly string[]; readonly flags: readonly string[] } {
  const flags = [...help.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([flag]) => flag)
  const [, table = ''] = /^Commands:\n((?: .*\n)+)/m.exec(help) ?? []
  const commands = [...table.matchAll(/^ {2}([a-z][a-z-]*) {2}/gm)].map(([, command = '']) => command)
  return { commands, flags: [...new Set(flags)] }
}

/** The rows of the first table of a page, by the titles of its columns. */
function readTable(markdown: string): readonly Readonly<Record<string, string>>[] {
  const lines = markdown.split('\n')
  const start = lines.findIndex((line) => line.startsWith('|'))
  const count = lines.slice(start).findIndex((line) => !line.startsWith('|'))
  const [titles = [], , ...rows] = lines.slice(start, start + count).map((line) => line.split(/(?<!\\)\|/).slice(1, -1))
  return rows.map((cells) => Object.fromEntries(cells.map((cell, index) => [titles[index]?.trim() ?? '', cell])))
}

/** The code in a text, with the blanks that belong to it. */
function readCode(markdown: string): readonly string[] {
  return [...markdown.matchAll(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g)].map(([, , code = '']) => code.trim())
}

function hasWord(text: string, flag: string): boolean {
  return new RegExp(String.raw`(?<![\w-])${flag}(?![\w-])`).test(text)
}
