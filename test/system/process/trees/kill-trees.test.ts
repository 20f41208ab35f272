import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { Command } from '../../../../src/system/process/command.ts'
import { killTrees, killTreesNow } from '../../../../src/system/process/trees/kill-trees.ts'
import { withMarks } from '../../../../src/system/process/trees/marks.ts'
import { readProcessTable, readStartTime } from '../../../../src/system/process/trees/process-table.ts'
import { carriers, isAlive, until, useFixtures } from '../use-fixtures.ts'

const fixtures = useFixtures()
const onLinux = process.platform === 'linux'

interface Started {
  readonly child: ChildProcess
  readonly pid: number
  readonly output: () => string
}

/** Started with a mark that stands for the command's own. */
async function start(command: Command, mark = fixtures.runMark): Promise<Started> {
  const [file, ...rest] = command.argv
  const env = withMarks(command.env, [...new Set([fixtures.runMark, mark])])
  const child = spawn(file, rest, { cwd: command.cwd, env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  await once(child, 'spawn')
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return { child, pid: child.pid ?? 0, output: () => output }
}

async function startReady(command: Command, mark?: string): Promise<Started> {
  const started = await start(command, mark)
  await until(() => started.output() !== '')
  return started
}

const forMinutes = 600_000
const deaf = `trap '' TERM; echo ready; while :; do sleep 1; done`

describe('killTrees', () => {
  /** How it ends, and with which last words. A grace of minutes is never waited out. */
  const rows: Readonly<Record<string, readonly [command: () => Command, graceMs: number, end: unknown]>> = {
    'sends SIGTERM once': [() => fixtures.command('counts-sigterms.mjs'), forMinutes, [0, null, 'terms: 1']],
    'ends who ignores it': [() => fixtures.command('ignores-sigterm.mjs'), 100, [null, 'SIGKILL', 'ready']],
    'ends a shell that ignores it': [() => fixtures.script(deaf), 100, [null, 'SIGKILL', 'ready']],
    'sends none without a grace': [() => fixtures.command('cleans-up-on-sigterm.mjs'), 0, [null, 'SIGKILL', 'ready']],
    'lets who is stopped take it': [
      () => fixtures.script('echo ready; kill -STOP $$; sleep 60'),
      forMinutes,
      [null, 'SIGTERM', 'ready'],
    ],
    'ends a child': [() => fixtures.script('echo ready; sleep 60; true'), forMinutes, [null, 'SIGTERM', 'ready']],
    ...(onLinux && {
      'catches a chain of processes that replace themselves': [
        () => fixtures.script(`echo ready; next() { (next) & }; next; sleep 60`),
        50,
        [null, 'SIGTERM', 'ready'],
      ],
    }),
  }

  test('ends what there is', async () => {
    const found = await Promise.all(
      Object.entries(rows).map(async ([title, [command, graceMs]]) => {
        const mark = `kill-${crypto.randomUUID()}`
        const { pid, child, output } = await startReady(command(), mark)
        const closed = once(child, 'close')
        await killTrees({ roots: [{ pid }], mark, graceMs })
        return [title, [...(await closed), output().trim().split('\n').at(-1)], carriers(mark)]
      }),
    )
    expect(found).toEqual(Object.entries(rows).map(([title, [, , end]]) => [title, end, []]))
  })

  test.runIf(onLinux)('finds by the mark alone', async () => {
    const { pid } = await startReady(fixtures.script('echo ready; exec sleep 60'))
    await killTrees({ roots: [], mark: fixtures.runMark, graceMs: 100 })
    expect(isAlive(pid)).toBe(false)
  })

  test.runIf(onLinux)('leaves a later process with the same id alone', async () => {
    const { pid } = await startReady(fixtures.script(deaf))
    await killTrees({ roots: [{ pid, startTime: '1' }], mark: 'no-such-mark', graceMs: 0 })
    expect(isAlive(pid)).toBe(true)
    await killTrees({ roots: [{ pid, startTime: readStartTime(pid) }], mark: 'no-such-mark', graceMs: 0 })
    expect(isAlive(pid)).toBe(false)
  })

  test('never touches this process, its group or everything', async () => {
    const own = readProcessTable().find(({ pid }) => pid === process.pid)
    for (const pid of new Set([process.pid, own?.groupId, own?.sessionId, 1, 0, -1, Number.NaN])) {
      const roots = pid === undefined ? [] : [{ pid }]
      await killTrees({ roots, mark: '', graceMs: 0 })
      killTreesNow({ roots, mark: '' })
    }
    expect(isAlive(process.pid)).toBe(true)
  })

  test('does not wait for the grace where nothing is left, or was', async () => {
    const { pid, child } = await start(fixtures.script('exit 0'))
    await once(child, 'exit')
    await killTrees({ roots: [{ pid }], mark: fixtures.runMark, graceMs: forMinutes })
    await killTrees({ roots: [{ pid: 99_999_999 }], mark: 'none', graceMs: forMinutes })
  })
})

describe('killTreesNow', () => {
  test('ends all before it returns', async () => {
    const scripts = [
      deaf,
      'sleep 60 & echo $!; wait',
      'env -i setsid sleep 60 > /dev/null & echo $!; wait',
      'echo ready; kill -STOP $$; sleep 60',
    ]
    const started = await Promise.all(scripts.map((code) => startReady(fixtures.script(code))))
    const children = started.flatMap(({ output }) => [Number(/\d+/.exec(output())?.[0] ?? process.pid)])
    killTreesNow({ roots: started, mark: fixtures.runMark })
    expect(started.map(({ pid }) => isAlive(pid))).toEqual([false, false, false, false])
    expect(children.filter((pid) => isAlive(pid))).toEqual([process.pid, process.pid])
  })

  test.each<[string, () => Command, number, unknown]>([
    ['leaves time to clean up', () => fixtures.command('cleans-up-on-sigterm.mjs'), forMinutes, [0, null]],
    ['and no more than that', () => fixtures.script(deaf), 100, [null, 'SIGKILL']],
  ])('%s', async (_, command, graceMs, end) => {
    const { pid, child } = await startReady(command())
    const exit = once(child, 'exit')
    killTreesNow({ roots: [{ pid }], mark: fixtures.runMark }, { graceMs })
    expect(isAlive(pid)).toBe(false)
    expect(await exit).toEqual(end)
  })
})
