import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { killTrees } from '../../../src/system/process/trees/kill-trees.ts'
import { withMarks } from '../../../src/system/process/trees/marks.ts'
import { carriers, until, useFixtures } from './use-fixtures.ts'

const fixtures = useFixtures()

// Only Linux finds what has a session of its own.
test.skipIf(process.platform !== 'linux').for([
  ['SIGTERM', '', 60_000],
  ['SIGKILL', `trap '' TERM; `, 20],
] as const)('a script does not go on when its command is ended by %s', async ([, before, graceMs]) => {
  const mark = `order-${crypto.randomUUID()}`
  const code = `${before}sleep 60; touch went-on-$0`
  const env = withMarks({ PATH: process.env.PATH ?? '' }, [fixtures.runMark, mark])
  const many = 'for n in 1 2 3 4 5 6 7 8 9 10; do setsid sh -c "$0" "$n" & done'
  spawn('sh', ['-c', many, code], { cwd: fixtures.directory, env, stdio: 'ignore' })
  await until(() => carriers(mark).length === 20)
  await killTrees({ roots: [], mark, graceMs })
  await until(() => carriers(mark).length === 0)
  expect(readdirSync(fixtures.directory)).toEqual([])
})
