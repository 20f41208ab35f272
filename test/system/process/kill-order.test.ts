import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { killTree } from '../../../src/system/process/trees/kill-trees.ts'
import { withMarks } from '../../../src/system/process/trees/marks.ts'
import { carriers, until, useFixtures } from './use-fixtures.ts'

const fixtures = useFixtures()
const startsSession = fileURLToPath(new URL('../../../fixtures/bin/starts-session.mjs', import.meta.url))

// Only Linux finds what has a session of its own.
test.skipIf(process.platform !== 'linux').for([
  ['SIGTERM', '', 2000],
  ['SIGKILL', `trap '' TERM; `, 20],
] as const)('a script does not go on when its command is ended by %s', async ([, before, graceMs]) => {
  const mark = `order-${crypto.randomUUID()}`
  const scripts = Array.from({ length: 20 }, (_, n) => {
    const code = `${before}sleep 60; touch went-on-${n}`
    const env = withMarks({ PATH: process.env.PATH ?? '' }, [fixtures.runMark, mark])
    const args = [startsSession, code]
    return once(spawn(process.execPath, args, { cwd: fixtures.directory, env, stdio: 'ignore' }), 'exit')
  })
  await Promise.all(scripts)
  await until(() => carriers(mark).length === 40)
  await killTree({ pid: undefined, mark, graceMs })
  await sleep(200)
  expect(readdirSync(fixtures.directory)).toEqual([])
})
