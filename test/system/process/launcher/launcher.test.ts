import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { launch } from '../../../../src/system/process/launcher/launch.ts'
import { startLauncher } from '../../../../src/system/process/launcher/launcher.ts'
import { ownFile } from '../../../../src/system/mdtest-package.ts'
import { createMark } from '../../../../src/system/process/trees/marks.ts'
import { readStartTime } from '../../../../src/system/process/trees/process-table.ts'
import { useLauncher } from '../../../support/use-launcher.ts'
import { carriers, isAlive, until, useFixtures } from '../use-fixtures.ts'

const fixtures = useFixtures()
const onLinux = process.platform === 'linux'

const started: Main[] = []

afterEach(async () => {
  for (const { child, launcher } of started.splice(0)) {
    child.kill('SIGKILL')
    await until(() => !isAlive(launcher()))
  }
})

interface Main {
  readonly child: ChildProcess
  readonly launcher: () => number
  /** Ids of all processes that were printed. */
  readonly pids: () => readonly number[]
  readonly output: () => string
}

/** Starts a main program from `.cache/compiled/` that has shells run these scripts. */
async function startMain(...scripts: readonly string[]): Promise<Main> {
  const { argv, cwd, env } = fixtures.command('runs-commands-with-launcher.mjs', fixtures.runMark, ...scripts)
  const [file, ...args] = argv
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child, 'spawn')
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const numbers = (pattern: RegExp): readonly number[] => [...output.matchAll(pattern)].map((match) => Number(match[1]))
  const main = {
    child,
    launcher: () => numbers(/"launcher":(\d+)/g)[0] ?? 0,
    pids: () => numbers(/(?:"pid":|grandchild )(\d+)/g),
    output: () => output,
  }
  started.push(main)
  return main
}

const sleeps = 'exec sleep 600'

describe('the launcher', () => {
  test('outlives the signals of a terminal, and ends everything when the main program is killed', async () => {
    const toldOf = '> /dev/null & echo grandchild $!; wait'
    const scripts = [
      `sleep 600 ${toldOf}`,
      `trap '' TERM; echo ready; while :; do sleep 1; done`,
      `trap ': > clean; exit' TERM; echo ready; sleep 600 & wait`,
      // Only Linux finds what has a session of its own.
      ...(onLinux ? [`env -i setsid sleep 600 ${toldOf}`, `setsid sleep 600 ${toldOf}`] : []),
    ]
    const main = await startMain(...scripts)
    await until(() => main.pids().length === (onLinux ? 8 : 4) && main.output().match(/ready/g)?.length === 2)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(main.launcher(), signal)
    await sleep(100)
    expect([main.launcher(), ...main.pids()].filter((pid) => !isAlive(pid))).toEqual([])
    main.child.kill('SIGKILL')
    await until(() => !main.pids().some(isAlive) && carriers(fixtures.runMark).length === 0)
    await until(() => !isAlive(main.launcher()))
    expect(existsSync(join(fixtures.directory, 'clean'))).toBe(true)
  })

  test.each(['SIGQUIT', 'SIGUSR2', 'SIGPROF', 'SIGALRM', 'SIGABRT'] as const)(
    'ends everything when %s ends the main program, which is no good end',
    async (signal) => {
      const main = await startMain(sleeps)
      await until(() => main.pids().length === 1)
      main.child.kill(signal)
      await until(() => ![main.launcher(), ...main.pids()].some(isAlive) && main.child.signalCode !== null)
      expect(main.child.signalCode).toBe(signal)
    },
  )

  test('removes the folder of the run, also while something that is about to end writes to it', async () => {
    const runMark = createMark()
    const folder = join(fixtures.directory, runMark)
    mkdirSync(folder)
    const writer = spawn('sh', ['-c', 'while test -d .; do : > "file-$((n += 1))"; done 2> /dev/null'], { cwd: folder })
    const launcher = spawn(process.execPath, [ownFile('#launcher')], { stdio: ['pipe', 'ignore', 'inherit'] })
    launcher.stdin.end(`${JSON.stringify({ runMark, folders: [folder] })}\n`)
    const closed = once(launcher, 'close')
    await sleep(500)
    writer.kill()
    await closed
    expect(existsSync(folder)).toBe(false)
  })

  test('ends, with what it started, when it is closed', async () => {
    const main = await startMain(sleeps, 'close')
    await until(() => main.pids().length === 1)
    await until(() => !isAlive(main.launcher()))
    expect(main.pids().map(isAlive)).toEqual([false])
  })

  test('ends what we started ourselves and told it of, unless it is forgotten, and carries no marks itself', async () => {
    const outer = `outer-${crypto.randomUUID()}`
    const before = process.env.MDTEST_MARKS
    process.env.MDTEST_MARKS = outer
    const launcher = startLauncher({ runMark: fixtures.runMark, socketPath: join(fixtures.directory, 'socket') })
    if (before === undefined) delete process.env.MDTEST_MARKS
    else process.env.MDTEST_MARKS = before
    await launcher.ready
    expect([...carriers(outer), ...carriers(fixtures.runMark)]).toEqual([])
    const [adopted, forgotten] = ['60', '61'].map((seconds) => {
      const child = spawn('sleep', [seconds], { detached: true, env: { PATH: '/usr/bin:/bin' }, stdio: 'ignore' })
      return child.pid ?? 0
    }) as [number, number] // as many as there are durations
    for (const pid of [adopted, forgotten]) launcher.adopt({ pid, startTime: readStartTime(pid) })
    launcher.forget(forgotten)
    launcher.close()
    await until(() => !isAlive(adopted))
    await until(() => !isAlive(launcher.pid ?? 0))
    expect(isAlive(forgotten)).toBe(true)
    process.kill(forgotten, 'SIGKILL')
  })

  test('that is killed leaves nobody waiting', async () => {
    const main = await startMain(sleeps)
    await until(() => main.pids().length === 1)
    process.kill(main.launcher(), 'SIGKILL')
    await until(() => main.output().includes('EXEC_LAUNCHER_ENDED'))
    await until(() => !main.pids().some(isAlive))
  })

  test('does not keep the main program alive', async () => {
    const main = await startMain()
    const [exitCode] = await once(main.child, 'exit')
    expect(exitCode).toBe(0)
    await until(() => !isAlive(main.launcher()))
  })

  test('that cannot be started says so', async () => {
    const program = fileURLToPath(new URL('none.js', import.meta.url))
    const launcher = startLauncher({ runMark: fixtures.runMark, socketPath: '/tmp/none', program })
    await expect(launcher.ready).rejects.toMatchObject({ code: 'EXEC_LAUNCHER_FAILED' })
    launcher.forget(1234)
    launcher.close()
  })

  test('that cannot listen says so', async () => {
    const socketPath = join(fixtures.directory, 'missing', 'socket')
    const launcher = startLauncher({ runMark: fixtures.runMark, socketPath })
    await expect(launcher.ready).rejects.toMatchObject({ code: 'EXEC_LAUNCHER_FAILED' })
    await until(() => !isAlive(launcher.pid ?? 0))
  })
})

describe('a program that is launched', () => {
  const program = { argv: ['cat'], cwd: '/', env: { PATH: process.env.PATH ?? '' } } as const
  const launcher = useLauncher()

  test('takes and gives every byte', async () => {
    const { pipes, ended } = await launch(launcher, program, [0, 1])
    const [stdin, stdout] = pipes
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256))
    stdin.end(bytes)
    const got: Buffer[] = []
    for await (const chunk of stdout) got.push(chunk)
    expect(Buffer.concat(got).equals(bytes)).toBe(true)
    expect(await ended).toEqual({ exitCode: 0, signal: null })
  })

  test('gets its environment whole, wherever it is cut on the way', async () => {
    // Over the size of one read, and off the borders of characters.
    const text = `a${'€'.repeat(40_000)}`
    const env = { ...program.env, A: text, B: text }
    const { pipes } = await launch(launcher, { ...program, argv: ['sh', '-c', 'printf %s "$A$B"'], env }, [1])
    const got: Buffer[] = []
    for await (const chunk of pipes[0]) got.push(chunk)
    expect(Buffer.concat(got).toString() === text + text).toBe(true)
  })

  test('is started for nobody without the token', async () => {
    const other = { ...launcher, token: 'x'.repeat(48) }
    await expect(launch(other, program, [1])).rejects.toMatchObject({ code: 'EXEC_LAUNCHER_ENDED' })
    const socket = connect(launcher.path).on('error', () => undefined)
    socket.write(`${'x'.repeat(100_000)}\n`)
    await once(socket, 'close')
  })

  test('ends when whoever asked for it goes', async () => {
    const { pid, release } = await launch(launcher, { ...program, argv: ['sleep', '60'] }, [])
    expect(isAlive(pid)).toBe(true)
    release()
    await until(() => !isAlive(pid))
  })

  test('that cannot be started says why, by the code of the system', async () => {
    const launching = launch(launcher, { ...program, argv: ['/none'] }, [0, 1, 2])
    await expect(launching).rejects.toMatchObject({ code: 'ENOENT' })
    const tooLong = launch(launcher, { ...program, argv: ['cat', 'x'.repeat(2 ** 18)] }, [1])
    await expect(tooLong).rejects.toMatchObject({ code: 'E2BIG' })
  })
})
