import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { createProcessCensus } from '../../../../src/system/process/trees/process-census.ts'
import { marksVariable } from '../../../../src/system/process/trees/marks.ts'
import { readStartTime } from '../../../../src/system/process/trees/process-table.ts'

const children: ChildProcess[] = []

afterEach(() => {
  for (const { pid } of children.splice(0)) {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    } catch {
      // It ended by itself.
    }
  }
})

interface Started {
  readonly child: ChildProcess
  readonly pid: number
  readonly since: string | undefined
}

/** Starts a shell that leads a group of its own. */
function start(script: string, mark: string): Started {
  const env = { PATH: process.env.PATH, [marksVariable]: `run:${mark}` }
  const child = spawn('sh', ['-c', script], { detached: true, stdio: 'ignore', env })
  children.push(child)
  const pid = child.pid ?? 0
  return { child, pid, since: readStartTime(pid) }
}

// Elsewhere it never tells.
describe.runIf(process.platform === 'linux')('a census', () => {
  test('is empty once a command and all it started are gone', async () => {
    const census = createProcessCensus()
    const { child, pid, since } = start('sleep 0.2', 'one')
    const trees = { roots: [{ pid }], mark: 'one', since }
    expect(census.isEmpty(trees)).toBe(false)
    await once(child, 'exit')
    // Other processes that begin at the very moment make it unsure.
    await expect.poll(() => census.isEmpty(trees)).toBe(true)
  })

  test('sees who left the group and lost its parent, by the mark', async () => {
    const census = createProcessCensus()
    const { child, pid, since } = start('setsid sleep 30 & echo $! ; exit 0', 'two')
    await once(child, 'exit')
    expect(census.isEmpty({ roots: [{ pid }], mark: 'two', since })).toBe(false)
    await expect.poll(() => census.isEmpty({ roots: [{ pid }], mark: 'other', since })).toBe(true)
  })

  test('sees who cleared its environment, by the group', async () => {
    const census = createProcessCensus()
    const { child, pid, since } = start('env -i sleep 30 & exit 0', 'three')
    await once(child, 'exit')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(census.isEmpty({ roots: [{ pid }], mark: 'three', since })).toBe(false)
  })

  test('sees who was started after the last look', async () => {
    const census = createProcessCensus()
    const { pid } = start('sleep 0.1; sleep 30', 'four')
    const other = start('sleep 30', 'five')
    expect(census.isEmpty({ roots: [{ pid: other.pid }], mark: 'five' })).toBe(false)
    const late = start('sleep 30', 'six')
    expect(census.isEmpty({ roots: [{ pid: late.pid }], mark: 'six' })).toBe(false)
    process.kill(-pid, 'SIGKILL')
  })
})
