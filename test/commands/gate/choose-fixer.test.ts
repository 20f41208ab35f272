import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { chooseFixer } from '../../../src/commands/gate/fix-gates.ts'
import { parseFlags } from '../../../src/commands/common/define-command.ts'
import { gateSyntax, toGateFlags } from '../../../src/commands/gate/flags.ts'
import type { GateConfig } from '../../../src/commands/project-config/gate-config.ts'

/** Who fixes, with these flags and this configuration, where a program `fixer` is on PATH. */
function choose(args: readonly string[], more: Partial<GateConfig> = {}): ReturnType<typeof chooseFixer> {
  const root = mkdtempSync(join(tmpdir(), 'mdtest-fixer-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  writeFileSync(join(root, 'fixer'), '#!/bin/sh\n')
  chmodSync(join(root, 'fixer'), 0o755)
  const config = {
    file: '',
    commands: {},
    allow: ['Bash(a)'],
    mayChange: ['*.yml'],
    protect: [],
    mcpServers: {},
    ...more,
  }
  return chooseFixer(toGateFlags(parseFlags(args, gateSyntax).values), { config, root, path: root })
}

const agent = { command: ['fixer', '{prompt}'] as [string, ...string[]] }

test.each([
  ['nobody was asked for', [], {}, undefined],
  ['nobody is wanted', ['--agent', 'none'], { agent }, undefined],
  ['no attempt is wanted', ['--fix-attempts', '0'], { agent }, undefined],
  ['the configuration names one', [], { agent }, 2],
  ['it is named on the command line', ['--agent', 'command', '--fix-attempts', '5'], { agent }, 5],
])('%s', (_, args, config, maxAttempts) => {
  expect(choose(args, config)?.maxAttempts).toBe(maxAttempts)
})

test('what it may do is what the configuration and the command line allow together', () => {
  const fixer = choose(['--allow', 'Bash(b)', '--may-change', 'a/**', '--max-cost-usd', '2'], { agent })
  expect(fixer).toMatchObject({ allow: ['Bash(a)', 'Bash(b)'], mayChange: ['*.yml', 'a/**'], maxCostUsd: 2 })
  expect(fixer).toMatchObject({ dangerouslyAllowAllActions: false, allowTestEdits: false })
})

test.each([
  ['attempts without an agent', ['--fix-attempts', '1'], {}, '`--fix-attempts` needs an agent'],
  ['no command of that kind', ['--agent', 'command'], { agent: 'claude' as const }, '`--agent command` needs'],
  [
    'a program that is not there',
    [],
    { agent: { command: ['no-such', '{prompt}'] as [string, ...string[]] } },
    'no-such',
  ],
])('%s is refused, with a way out', (_, args, config, message) => {
  expect(() => choose(args, config)).toThrow(message)
})
