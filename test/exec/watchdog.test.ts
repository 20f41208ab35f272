import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { startWatchdog } from '../../src/exec/watchdog.ts'
import { carriers, isAlive, until, useFixtures } from './use-fixtures.ts'

const fixtures = useFixtures()
const onLinux = process.platform === 'linux'

const started: Main[] = []

afterEach(async () => {
  for (const { child, watchdog } of started.splice(0)) {
    child.kill('SIGKILL')
    await until(() => !isAlive(watchdog()))
  }
})

interface Main {
  readonly child: ChildProcess
  readonly watchdog: () => number
  /** Ids of all processes that were printed. */
  readonly pids: () => readonly number[]
  readonly output: () => string
}

/** Starts a main program from `dist/` that runs fixture programs. */
async function startMain(...programs: readonly string[]): Promise<Main> {
  const { argv, cwd, env } = fixtures.command('runs-commands-under-watchdog.mjs', fixtures.runMark, ...programs)
  const [file, ...args] = argv
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child, 'spawn')
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const numbers = (pattern: RegExp): readonly number[] => [...output.matchAll(pattern)].map((match) => Number(match[1]))
  const main = {
    child,
    watchdog: () => numbers(/"watchdog":(\d+)/g)[0] ?? 0,
    pids: () => numbers(/(?:"pid":|grandchild )(\d+)/g),
    output: () => output,
  }
  started.push(main)
  return main
}

describe('the watchdog', () => {
  test('ends everything within 3 s when the main program is killed', async () => {
    const programs = ['forever.mjs', 'spawns-grandchild.mjs', 'clears-environment.mjs', 'ignores-sigterm.mjs']
    const main = await startMain(...programs)
    await until(() => main.pids().length === 6 && main.output().includes('ready'))
    expect(main.pids().map(isAlive)).toEqual(Array(6).fill(true))
    main.child.kill('SIGKILL')
    await until(() => !main.pids().some(isAlive) && carriers(fixtures.runMark).length === 0, 3000)
    await until(() => !isAlive(main.watchdog()), 3000)
  })

  test.runIf(onLinux)('ends what left group and parent', async () => {
    const main = await startMain('double-forks.mjs,stay', 'forever.mjs')
    await until(() => main.pids().length === 3)
    main.child.kill('SIGKILL')
    await until(() => !main.pids().some(isAlive) && carriers(fixtures.runMark).length === 0, 3000)
  })

  test('lets programs clean up', async () => {
    const main = await startMain('counts-sigterms.mjs')
    await until(() => main.output().includes('ready'))
    const startMs = performance.now()
    main.child.kill('SIGKILL')
    await until(() => !main.pids().some(isAlive), 3000)
    expect(performance.now() - startMs).toBeGreaterThan(250)
  })

  test('outlives the signals of a terminal', async () => {
    const main = await startMain('forever.mjs')
    await until(() => main.pids().length === 1)
    await sleep(200)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(main.watchdog(), signal)
    await sleep(100)
    expect(isAlive(main.watchdog())).toBe(true)
    main.child.kill('SIGKILL')
    await until(() => !main.pids().some(isAlive), 3000)
  })

  test('ends without killing when it is closed', async () => {
    const main = await startMain('forever.mjs', 'close')
    await until(() => main.pids().length === 1)
    await until(() => !isAlive(main.watchdog()))
    expect(main.pids().map(isAlive)).toEqual([true])
    for (const pid of main.pids()) process.kill(-pid, 'SIGKILL')
    await once(main.child, 'exit')
  })

  test('does not keep the main program alive', async () => {
    const main = await startMain()
    const [exitCode] = await once(main.child, 'exit')
    expect(exitCode).toBe(0)
    await until(() => !isAlive(main.watchdog()))
  })

  test('does not carry marks itself', async () => {
    const outer = `outer-${crypto.randomUUID()}`
    const before = process.env.MDTEST_MARKS
    process.env.MDTEST_MARKS = outer
    const watchdog = startWatchdog({ runMark: fixtures.runMark })
    if (before === undefined) delete process.env.MDTEST_MARKS
    else process.env.MDTEST_MARKS = before
    await sleep(100)
    expect(isAlive(watchdog.pid ?? 0)).toBe(true)
    expect([...carriers(outer), ...carriers(fixtures.runMark)]).toEqual([])
    watchdog.close()
    await until(() => !isAlive(watchdog.pid ?? 0))
  })

  test('that cannot be started disturbs nobody', async () => {
    const program = fileURLToPath(new URL('none.js', import.meta.url))
    const watchdog = startWatchdog({ runMark: fixtures.runMark, program })
    await until(() => !isAlive(watchdog.pid ?? 0))
    watchdog.add(1234)
    watchdog.remove(1234)
    watchdog.close()
    await sleep(50)
  })
})
