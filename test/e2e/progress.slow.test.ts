import { expect, test } from 'vitest'
import { projectWithScriptedClaude } from '../support/scripted-claude.ts'

const settled = /^mdtest: shop\.test\.md > Shop > Add a mug: pass, \w+$/m

test('each step of an agent has a line, on standard error where standard output is for a program', async () => {
  const { project: opened, env } = await projectWithScriptedClaude()
  await using project = opened
  const log = await project.vitest(['run'], { env })
  expect(log.stdout).toMatch(settled)
  expect(log.stderr).not.toMatch(settled)
  const machine = await project.mdtest(['run', '--reporter=json'], { env })
  expect(machine.stderr).toMatch(settled)
  expect(JSON.parse(machine.stdout)).toMatchObject({ numPassedTests: 1 })
})

test('there is none with `progress: false`', async () => {
  const { project: opened, env } = await projectWithScriptedClaude('progress: false')
  await using project = opened
  const { all } = await project.vitest(['run'], { env })
  expect(all).toContain('1 passed')
  expect(all).not.toMatch(settled)
})
