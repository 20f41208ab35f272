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
    timeout: 60_000,
  })
  return stdout
}

describe.runIf(hasTerminal())('on a terminal', () => {
  test('the last call stands in the window of the default reporter', async () => {
    const { project: opened } = await projectWithScriptedClaude()
    await using project = opened
    const shown = await onTerminal(project, ['--reporter=default'])
    expect(shown).toContain(`\r\n ${atWork} 1s: npm run shop -- add mug\r\n`)
    const [, end = ''] = shown.split('1 test')
    expect(end).toContain('1 passed')
    expect(end).not.toContain(atWork)
  })

  test('it is a line that gives way where a reporter has no window', async () => {
    const { project: opened } = await projectWithScriptedClaude()
    await using project = opened
    const shown = await onTerminal(project, ['--reporter=tap'])
    const line = `\r\u001b[K\u001b[?7l${atWork} 2s: npm run shop -- add mug\u001b[?7h\r\u001b[K`
    expect(shown).toContain(line)
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

describe.concurrent('in a log', () => {
  const work = { WORK_MS: '33000', CI: '1' }

  test.concurrent('each scenario has one line in 30 s of work', async () => {
    const { project: opened, env } = await projectWithScriptedClaude()
    await using project = opened
    const { stdout, stderr } = await project.vitest(['run'], { env: { ...env, ...work } })
    const lines = stdout.split('\n').filter((line) => line.includes(atWork))
    expect(lines).toEqual([expect.stringMatching(/^mdtest: shop\.test\.md > Shop 3\ds: npm run shop -- add mug$/)])
    expect(stderr).not.toContain(atWork)
  })

  test.concurrent('it is on standard error where standard output is for a program', async () => {
    const { project: opened, env } = await projectWithScriptedClaude()
    await using project = opened
    const { stdout, stderr } = await project.mdtest(['run', '--reporter=json'], { env: { ...env, ...work } })
    expect(stderr.match(/^mdtest: shop\.test\.md > Shop 3\ds/gm)).toHaveLength(1)
    expect(JSON.parse(stdout)).toMatchObject({ numPassedTests: 1 })
  })

  test.concurrent('there is none with `progress: false`, nor for short work', async () => {
    const { project: opened, env } = await projectWithScriptedClaude('progress: false')
    await using off = opened
    const { project: other, env: otherEnv } = await projectWithScriptedClaude()
    await using short = other
    const [silent, quick] = await Promise.all([
      off.vitest(['run'], { env: { ...env, ...work } }),
      short.vitest(['run'], { env: { ...otherEnv, WORK_MS: '1500' } }),
    ])
    for (const { all } of [silent, quick]) {
      expect(all).toContain('1 passed')
      expect(all).not.toContain(atWork)
    }
  })
})
