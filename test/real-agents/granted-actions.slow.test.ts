import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { processesWith } from '../support/processes.ts'
import { carryOutSpec } from '../support/scripts/carry-out-spec.ts'
import { runsFirst, writesLog } from '../support/scripts/wayward.ts'
import { rightProgram, spec } from './notes-project.ts'
import { claude, codex, createRealProject, skipReason } from './real-project.ts'

const files = { 'notes.test.md': spec, 'notes.mjs': rightProgram }

describe.skipIf(skipReason !== '')(`claude without leave${skipReason}`, () => {
  test('is blocked with the front matter that helps, and passes with it', async () => {
    await using real = await createRealProject({ files, script: carryOutSpec, options: { agent: 'claude' } })
    const refused = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    expect(verdictsOf(refused.stdout, 'notes.test.md')).toEqual([
      expect.stringMatching(/^blocked AGENT_DENIED/),
      'skipped PREDECESSOR_FAILED',
    ])
    expect(refused.exitCode).toBe(1)
    const message = readJsonReport(refused.stdout)['notes.test.md']?.[0]?.messages?.[0] ?? ''
    expect(message).toContain('`node notes.mjs add milk`')
    const line = /`(allow: \[.*?\])`/.exec(message)?.[1] ?? ''
    expect(line).toBe('allow: ["Bash(node *)"]')

    await real.project.write('notes.test.md', `---\n${line}\n---\n\n${spec}`)
    const allowed = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    expect(verdictsOf(allowed.stdout, 'notes.test.md')).toEqual(['pass observed', 'pass observed'])
    expect(allowed.exitCode).toBe(0)
    expect(await real.leftovers()).toEqual([])
  })
})

describe.skipIf(skipReason !== '').each([
  { ...claude, flag: '--dangerously-skip-permissions' },
  { ...codex, flag: '--dangerously-bypass-approvals-and-sandbox' },
])(`$title with --dangerously-allow-all-actions${skipReason}`, ({ agent, flag, title: _title, ...more }) => {
  const passingLog = writesLog(({ runId }) => `status: pass\nrun: "${runId}"`)

  test('may write outside its directory, else not', async () => {
    const commandLines: string[] = []
    await using real = await createRealProject({
      ...more,
      options: { agent },
      files: { 'sub/notes.test.md': '# Notes\n\nWrite a note.\n' },
      script: (conversation) => {
        commandLines.push(...processesWith(real.project.dir).filter((line) => line.includes('Run id: ')))
        return runsFirst('echo x > ../outside.txt', passingLog)(conversation)
      },
    })
    // Claude refuses this as root, unless it is told that it is on a throw-away machine.
    const env = { ...real.env, IS_SANDBOX: '1' }
    const run = async (...flags: readonly string[]): Promise<boolean> => {
      commandLines.length = 0
      await real.project.mdtest(['run', '-d', 'sub', '--agent', agent, ...flags], { env })
      expect(commandLines.length).toBeGreaterThan(0)
      return existsSync(join(real.project.dir, 'outside.txt'))
    }
    expect(await run()).toBe(false)
    expect(commandLines.join('\n')).not.toContain('dangerously')
    expect(await run('--dangerously-allow-all-actions')).toBe(true)
    expect(commandLines[0]).toContain(` ${flag} `)
    expect(await real.leftovers()).toEqual([])
  })
})

describe.skipIf(skipReason !== '')(`auto${skipReason}`, () => {
  test.each([
    { clis: ['claude', 'codex'], api: 'anthropic' },
    { clis: ['codex'], api: 'openai' },
  ] as const)('with $clis on PATH talks to $api', async ({ clis, api }) => {
    // the names of CLIs
    await using real = await createRealProject({
      clis,
      files,
      script: carryOutSpec,
      options: { allow: ['Bash(node *)'] },
    })
    const { exitCode, stdout } = await real.project.mdtest(['run'], { env: real.env })
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('1 passed, 0 failed')
    expect(exitCode).toBe(0)
    expect([...new Set(real.model.conversations.map((conversation) => conversation.api))]).toEqual([api])
    expect(await real.leftovers()).toEqual([])
  })

  test('names both where neither is there', async () => {
    await using real = await createRealProject({ clis: [], files, script: carryOutSpec })
    const { exitCode, stderr } = await real.project.mdtest(['run'], { env: real.env })
    expect(stderr).toMatch(/`claude`.*`codex`/)
    expect(exitCode).toBe(2)
    expect(real.model.conversations).toEqual([])
  })
})
