import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import type { Project } from '../support/create-project.ts'
import { lane } from '../support/lane.ts'
import { projectWithScriptedClaude } from '../support/scripted-claude.ts'
import { hasTerminal } from '../support/watch-session.ts'

const atWork = 'shop.test.md > Shop'

/** Runs Vitest on a pseudo-terminal and gives what it would show, with its escape sequences. */
async function onTerminal(project: Project, args: readonly string[]): Promise<string> {
  const command = [lane.node, 'node_modules/vitest/vitest.mjs', 'run', ...args].join(' ')
  const { stdout } = await execa('script', ['-qec', `stty cols 100 rows 40; ${command}`, '/dev/null'], {
    cwd: project.dir,
    env: { PATH: `${project.path('bin')}:${process.env.PATH}`, HOME: process.env.HOME, TERM: 'xterm', WORK_MS: '3000' },
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    timeout: 240_000,
  })
  return stdout
}

describe.runIf(hasTerminal())('on a terminal', () => {
  test('the last call stands in the window of the default reporter', async () => {
    const { project: opened } = await projectWithScriptedClaude()
    await using project = opened
    const shown = await onTerminal(project, ['--reporter=default'])
    expect(shown).toMatch(/\r\n shop\.test\.md > Shop \ds: npm run shop -- add mug\r\n/)
    const [, end = ''] = shown.split('1 test')
    expect(end).toContain('1 passed')
    expect(end).not.toContain(atWork)
  })

  test('it is a line that gives way where a reporter has no window', async () => {
    const { project: opened } = await projectWithScriptedClaude()
    await using project = opened
    const shown = await onTerminal(project, ['--reporter=tap'])
    const [line = ''] =
      /\r\u001b\[K\u001b\[\?7lshop\.test\.md > Shop \ds: npm run shop -- add mug\u001b\[\?7h\r\u001b\[K/.exec(shown) ??
      []
    expect(line, shown).not.toBe('')
    expect(shown.split(line)[1]).toContain('TAP version')
  })

  test('there is none with `progress: false`', async () => {
    const { project: opened } = await projectWithScriptedClaude('progress: false')
    await using project = opened
    const shown = await onTerminal(project, ['--reporter=default'])
    expect(shown).toContain('1 passed')
    expect(shown).not.toContain('npm run shop')
  })
})

test('in a log each scenario has one line in 30 s of work, on standard error where standard output is for a program', async () => {
  const { project: opened, env } = await projectWithScriptedClaude()
  await using project = opened
  const work = { WORK_MS: '33000', CI: '1' }
  const [log, machine] = await Promise.all([
    project.vitest(['run'], { env: { ...env, ...work } }),
    project.mdtest(['run', '--reporter=json'], { env: { ...env, ...work } }),
  ])
  const lines = log.stdout.split('\n').filter((line) => line.includes(atWork))
  expect(lines[0]).toMatch(/^mdtest: shop\.test\.md > Shop \d+s: npm run shop -- add mug$/)
  expect(log.stderr).not.toContain(atWork)
  expect(machine.stderr).toMatch(/^mdtest: shop\.test\.md > Shop \d+s/m)
  expect(JSON.parse(machine.stdout)).toMatchObject({ numPassedTests: 1 })
})
