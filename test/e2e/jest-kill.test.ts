import { describe, expect, test } from 'vitest'
import { createBusyProject, type BusySpec } from '../support/busy-project.ts'
import { leftAfter } from '../support/leftovers.ts'
import { jest } from '../support/lane.ts'

interface Kill {
  readonly title: string
  readonly args: readonly string[]
  readonly specs: readonly BusySpec[]
  readonly signal: NodeJS.Signals
  readonly victim: 'jest' | 'worker' | 'server'
}

const both: readonly BusySpec[] = ['agent', 'blocks']
const inWorkers = ['--maxWorkers=2']
const kills: readonly Kill[] = [
  { title: 'SIGKILL to Jest', args: inWorkers, specs: both, signal: 'SIGKILL', victim: 'jest' },
  { title: 'SIGINT to Jest', args: inWorkers, specs: both, signal: 'SIGINT', victim: 'jest' },
  { title: 'SIGKILL to the workers', args: [...inWorkers, '--bail'], specs: both, signal: 'SIGKILL', victim: 'worker' },
  { title: 'SIGKILL to the process beside Jest', args: inWorkers, specs: both, signal: 'SIGKILL', victim: 'server' },
]
const programs = { worker: 'processChild.js', server: 'server-main.js', jest: 'bin/jest.js' }

describe.skipIf(jest.unavailable !== undefined)(`Jest leaves no process and no temporary folder`, () => {
  test.for(kills.map((kill) => [kill.title, kill] as const))('after %s', async ([, kill]) => {
    const { args, specs, signal, victim } = kill
    await using busy = await createBusyProject('', {}, jest)
    const { process: running } = await busy.start('jest', args, specs)
    expect(busy.temporaryFolders()).not.toEqual([])
    const victims = busy.processes().filter(({ line }) => line.includes(programs[victim]))
    expect(victims).not.toEqual([])
    for (const { pid } of victims) process.kill(pid, signal)
    const ended = await running
    expect(ended.exitCode, String(ended.all)).not.toBe(0)
    expect(await leftAfter(busy.project.dir)).toEqual([])
    expect(busy.temporaryFolders()).toEqual([])
  })
})
