import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createBusyProject, type BusySpec } from '../support/busy-project.ts'
import { leftAfter } from '../support/leftovers.ts'

interface Kill {
  readonly title: string
  readonly program: 'vitest' | 'mdtest'
  readonly args: readonly string[]
  readonly specs: readonly BusySpec[]
  readonly signal: NodeJS.Signals
  /** A worker process of Vitest, in place of its main process. */
  readonly victim?: 'worker'
  readonly exitCode?: number
}

const both: readonly BusySpec[] = ['agent', 'blocks']
const signals = ['SIGKILL', 'SIGTERM', 'SIGINT'] as const // literals, for the table of codes
const codes = { SIGKILL: undefined, SIGTERM: 143, SIGINT: 130 }

const kills: readonly Kill[] = [
  ...signals.map((signal): Kill => ({
    title: `${signal} to Vitest`,
    program: 'vitest',
    args: ['run'],
    specs: both,
    signal,
    ...(codes[signal] !== undefined && { exitCode: codes[signal] }),
  })),
  {
    title: 'SIGKILL to Vitest with workers of its own',
    program: 'vitest',
    args: ['run', '--pool=forks'],
    specs: both,
    signal: 'SIGKILL',
  },
  ...both.map((spec): Kill => ({
    title: `SIGKILL to a worker in ${spec}`,
    program: 'vitest',
    args: ['run', '--pool=forks', `${spec}.test.md`],
    specs: [spec],
    signal: 'SIGKILL',
    victim: 'worker',
    exitCode: 1,
  })),
  ...signals.flatMap((signal) =>
    both.map((spec): Kill => ({
      title: `${signal} to \`mdtest run\` in ${spec}`,
      program: 'mdtest',
      args: ['run', `${spec}.test.md`],
      specs: [spec],
      signal,
      ...(codes[signal] !== undefined && { exitCode: codes[signal] }),
    })),
  ),
]

describe('no process and no temporary folder is left', () => {
  test.for(kills.map((kill) => [kill.title, kill] as const))('after %s', async ([, kill]) => {
    const { program, args, specs, signal, victim, exitCode } = kill
    await using busy = await createBusyProject()
    const { process: running } = await busy.start(program, args, specs)
    if (specs.includes('blocks')) {
      const [folder = '', ...others] = busy.temporaryFolders()
      expect(others).toEqual([])
      expect(statSync(join(busy.tempDir, folder)).mode & 0o777).toBe(0o700)
    }
    const lines = busy.processes().map(({ line }) => line)
    expect(lines).toContainEqual(expect.stringContaining('launcher-main.js'))
    if (victim === 'worker') {
      const worker = busy.processes().find(({ line }) => line.includes('workers/forks'))
      expect(worker).toBeDefined()
      if (worker) process.kill(worker.pid, signal)
    } else if (running.pid !== undefined) process.kill(running.pid, signal) // `kill` of execa adds a SIGKILL
    const ended = await running
    expect(ended.exitCode, String(ended.all)).toBe(exitCode)
    expect(await leftAfter(busy.project.dir)).toEqual([])
    expect(busy.temporaryFolders()).toEqual([])
  })
})
