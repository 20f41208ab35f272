import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './tracked-files.ts'

const bin = join(root, 'dist', 'bin.js')
const readme = join(root, 'README.md')
const isReady = existsSync(readme) && existsSync(join(root, 'src', 'bin.ts'))

describe('the README', () => {
  test.runIf(isReady)('names every flag and command of `mdtest --help`', () => {
    const text = readFileSync(readme, 'utf8')
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

  test.skipIf(isReady).todo('waits for README.md and src/bin.ts')
})

/** The long flags in a help text, and the commands: names before two spaces under `Commands:`. */
function readHelp(help: string): { readonly commands: readonly string[]; readonly flags: readonly string[] } {
  const flags = [...help.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([flag]) => flag)
  const [, table = ''] = /^Commands:\n((?: .*\n)+)/m.exec(help) ?? []
  const commands = [...table.matchAll(/^ {2}([a-z][a-z-]*) {2}/gm)].map(([, command = '']) => command)
  return { commands, flags: [...new Set(flags)] }
}

function hasWord(text: string, flag: string): boolean {
  return new RegExp(String.raw`(?<![\w-])${flag}(?![\w-])`).test(text)
}
