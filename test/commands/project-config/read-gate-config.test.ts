import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findGateConfig, readGateConfig } from '../../../src/commands/project-config/read-gate-config.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mdtest-gate-config-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(name: string, config: unknown): string {
  const file = join(root, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config))
  return file
}

describe('the configuration of gates', () => {
  test('has commands in three forms', async () => {
    const file = write('mdtest.config.json', {
      $schema: 'x',
      commands: {
        compile: 'tsc -p . && echo ok',
        lint: null,
        test: { command: ['node', '--test', "it's"], timeoutMs: 5, noOutputTimeoutMs: 4 },
      },
      agent: { command: ['fix', '{prompt}'] },
    })
    expect(await readGateConfig({ root })).toEqual({
      file,
      allow: [],
      mayChange: [],
      protect: [],
      mcpServers: {},
      agent: { command: ['fix', '{prompt}'] },
      commands: {
        compile: {
          argv: ['bash', '-o', 'pipefail', '-c', 'tsc -p . && echo ok'],
          shown: 'tsc -p . && echo ok',
          timeoutMs: 600_000,
        },
        test: {
          argv: ['node', '--test', "it's"],
          shown: String.raw`node --test 'it'\''s'`,
          timeoutMs: 5,
          noOutputTimeoutMs: 4,
        },
      },
    })
  })

  test('is in `.planning` where there is no other, and in any file in that form', async () => {
    expect(await findGateConfig({ root })).toBeUndefined()
    write('.planning/config.json', { mode: 'yolo', project: { name: 'x' } })
    expect(await findGateConfig({ root })).toBeUndefined()
    await expect(readGateConfig({ root })).rejects.toThrow('(or `project.commands` in `.planning/config.json`)')
    const planned = { mode: 'yolo', project: { name: 'x', commands: { test: 'npm test', lint: null, dev: 'x' } } }
    write('.planning/config.json', planned)
    expect((await readGateConfig({ root })).commands).toMatchObject({ test: { shown: 'npm test' } })
    write('mdtest.config.json', { commands: {} })
    expect((await findGateConfig({ root }))?.commands).toEqual({})
    await expect(readGateConfig({ root })).rejects.toThrow('mdtest.config.json: `commands` names no gate')
    const file = write('other.json', planned)
    expect(await readGateConfig({ root, file })).toMatchObject({ file, commands: { test: { shown: 'npm test' } } })
  })

  test.each([
    [
      { commands: { tests: 'x' } },
      'Unknown key `tests` in `commands`. Did you mean `test`? Known are compile, lint, test.',
    ],
    [
      { commands: {}, gates: 1 },
      'Unknown key `gates`. Known are $schema, commands, tests, agent, allow, mayChange, protect, mcpServers, executionLog.',
    ],
    [{ test: 'npm test' }, 'Unknown key `test`. `test` belongs into `commands`. Known are'],
    [{}, 'Expected `commands` to be an object with compile, lint and test.'],
    [{ commands: { test: ' ' } }, 'Expected `commands.test` to be a command, its words'],
    [{ commands: { test: [] } }, 'Expected `commands.test` to be a command, its words'],
    [
      { commands: { test: { command: 'x', timeoutMs: 0 } } },
      'Expected `commands.test.timeoutMs` to be a whole number of milliseconds',
    ],
    [
      { commands: { test: { command: 'x', timeout: 1 } } },
      'Unknown key `timeout` in `commands.test`. Did you mean `timeoutMs`? Known are command, timeoutMs, noOutputTimeoutMs, runner, junit, names.',
    ],
    [
      { commands: { test: { command: 'x', runner: 'node' } } },
      'Expected `commands.test` to be a command, its words, null, or an object with one of `command` and `runner`',
    ],
    [{ commands: {}, agent: 'cursor' }, 'Expected `agent` to be "auto", "claude", "codex"'],
    [{ project: { commands: { build: 'x' } } }, '`project.commands` has none of compile, lint, test.'],
    [{ project: { commands: { test: 1 } } }, 'Expected `project.commands.test` to be a command'],
    ['{', ':1:2: Expected property name'],
    ['{ "commands": { "test": "a, }" },\n}', 'mdtest.config.json:1:33: JSON may not have `,` here.'],
    ['{\n  commands: {} }', ':2:3: JSON needs double quotes around texts and names: `commands` here.'],
    ['{ "commands": {} // none\n}', ':1:18: JSON may not have `//` here.'],
    ['[]', 'Expected the file to be an object with `commands`.'],
  ])('names what is wrong in %j', async (config, message) => {
    write('mdtest.config.json', config)
    await expect(readGateConfig({ root })).rejects.toMatchObject({
      code: 'OPTION_CONFIG_INVALID',
      message: expect.stringContaining(message),
    })
  })

  test('has to be there', async () => {
    const missing = { code: 'OPTION_CONFIG_MISSING', message: expect.stringContaining('"commands"') }
    await expect(readGateConfig({ root })).rejects.toMatchObject(missing)
    await expect(findGateConfig({ root, file: join(root, 'none.json') })).rejects.toMatchObject(missing)
  })
})
