import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Command } from '../../../src/system/process/command.ts'
import {
  type CommandResult,
  runCommand,
  type RunningCommand,
  type RunOptions,
  startCommand,
} from '../../../src/system/process/run-command.ts'
import { createRedactor } from '../../../src/system/redaction/redact.ts'
import { carriers, isAlive, useFixtures } from './use-fixtures.ts'

const fixtures = useFixtures()

interface Recorded extends CommandResult {
  readonly lines: readonly string[]
  /** Id that a fixture printed of what it started. */
  readonly grandchild: number
}

async function record(command: Command, options: Partial<RunOptions> = {}): Promise<Recorded> {
  const lines: string[] = []
  const onLine: RunOptions['onLine'] = (stream, line) =>
    void lines.push(`${stream === 'stdout' ? 'out' : 'err'} ${line}`)
  const result = await runCommand(command, { ...fixtures.options, onLine, ...options })
  return { ...result, lines, grandchild: Number(/grandchild (\d+)/.exec(lines.join('\n'))?.[1]) }
}

async function expectQuick<T>(promise: Promise<T>, limitMs: number): Promise<T> {
  const startMs = performance.now()
  const value = await promise
  expect(performance.now() - startMs).toBeLessThan(limitMs)
  return value
}

describe('a normal end', () => {
  test.for([0, 1, 42])('gives exit code %i', async (exitCode) => {
    const result = await record(fixtures.command('exits-with.mjs', String(exitCode)))
    expect(result).toMatchObject({ end: { reason: 'exit', exitCode }, lines: [], tail: '' })
    expect(result.startedAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(result.durationMs).toBeGreaterThan(0)
  })

  test('gives the signal that ended it', async () => {
    const { end } = await record(fixtures.command('kills-itself.mjs', 'SIGKILL'))
    expect(end).toEqual({ reason: 'signal', signal: 'SIGKILL' })
  })

  test('hands over the lines of both streams and their tail', async () => {
    const { lines, tail } = await record(fixtures.command('prints-both-streams.mjs'))
    expect(lines.toSorted()).toEqual(['err second', 'out first'])
    expect(tail.split('\n').toSorted()).toEqual(['', 'first', 'second'])
  })

  test('passes arguments on as they are', async () => {
    const args = ['a b', '$HOME', '"', '*', '', 'zwei\nZeilen', '€']
    const { lines } = await record(fixtures.command('prints-arguments.mjs', ...args))
    expect(lines).toEqual([`out ${JSON.stringify(args)}`])
  })

  test('gives the child its environment and the marks, nothing else', async () => {
    const { options } = fixtures
    const command = fixtures.command('prints-environment.mjs')
    const { lines } = await record({ ...command, env: { ...command.env, MDTEST_MARKS: 'outer' } }, options)
    const env: unknown = JSON.parse(lines[0]?.slice(4) ?? '')
    expect(env).toEqual({ ...command.env, MDTEST_MARKS: `outer:${options.runMark}:${options.mark}` })
  })

  test('waits for the last words of a helper', async () => {
    const { lines } = await record(fixtures.command('writes-after-parent-exit.sh'))
    expect(lines).toEqual(['out parent ends', 'out last words'])
  })
})

describe('limits', () => {
  test('end a command at the hard limit although it gives signs of life', async () => {
    const { end } = await record(fixtures.command('prints-every-100ms.mjs'), {
      hardTimeoutMs: 400,
      silenceTimeoutMs: 350,
    })
    expect(end).toEqual({ reason: 'hard-timeout', limitMs: 400 })
  })

  test('end a command that says nothing', async () => {
    const { end, lines } = await record(fixtures.command('silent-after-one-line.mjs'), { silenceTimeoutMs: 400 })
    expect(end).toEqual({ reason: 'silence-timeout', limitMs: 400 })
    expect(lines).toEqual(['out one line'])
  })

  test('count a touch as a sign of life', async () => {
    const options = { ...fixtures.options, hardTimeoutMs: 900, silenceTimeoutMs: 400 }
    const running = startCommand(fixtures.command('forever.mjs'), options)
    const timer = setInterval(running.touch, 50)
    const { end } = await running.ended
    clearInterval(timer)
    expect(end.reason).toBe('hard-timeout')
  })

  test('do not take an exit for a timeout that this process was too busy to see', async () => {
    let running: RunningCommand
    await new Promise((onSpawn) => {
      // A shell, which is quick to end: before it has, this process must not look.
      const command = { ...fixtures.command('exits-with.mjs'), argv: ['sh', '-c', 'exit 3'] as const }
      running = startCommand(command, { ...fixtures.options, hardTimeoutMs: 300, onSpawn })
    })
    const busyUntilMs = performance.now() + 500
    while (performance.now() < busyUntilMs);
    expect((await running!.ended).end).toEqual({ reason: 'exit', exitCode: 3 })
  })

  test('hold against output at full speed', async () => {
    const options = { hardTimeoutMs: 500, silenceTimeoutMs: 400, onLine: () => undefined }
    const { end } = await expectQuick(record(fixtures.command('floods-output.mjs', '1000000'), options), 5000)
    expect(end.reason).toBe('hard-timeout')
  })

  test('may be longer than a timer can be', async () => {
    const { end } = await record(fixtures.command('exits-with.mjs', '0'), {
      hardTimeoutMs: 1e12,
      silenceTimeoutMs: Infinity,
    })
    expect(end).toEqual({ reason: 'exit', exitCode: 0 })
  })

  test('are joined by an abort from outside', async () => {
    const abort = new AbortController()
    const onLine = (): void => abort.abort()
    const { end } = await record(fixtures.command('silent-after-one-line.mjs'), { signal: abort.signal, onLine })
    expect(end).toEqual({ reason: 'canceled' })
  })

  test('start nothing when the abort came before', async () => {
    const onSpawn = (): never => {
      throw new Error('started')
    }
    const { end } = await record(fixtures.command('forever.mjs'), { signal: AbortSignal.abort(), onSpawn })
    expect(end).toEqual({ reason: 'canceled' })
  })

  test('keep the first reason', async () => {
    const abort = new AbortController()
    const command = fixtures.command('ignores-sigterm.mjs')
    const pending = record(command, { hardTimeoutMs: 300, graceMs: 300, signal: abort.signal })
    setTimeout(() => abort.abort(), 450)
    expect((await pending).end).toEqual({ reason: 'hard-timeout', limitMs: 300 })
  })

  test('leave time to clean up after SIGTERM', async () => {
    const options = { hardTimeoutMs: 500, graceMs: 5000 }
    const { end, lines } = await expectQuick(record(fixtures.command('cleans-up-on-sigterm.mjs'), options), 3000)
    expect(end.reason).toBe('hard-timeout')
    expect(lines).toEqual(['out ready', 'out cleaning up', 'out clean'])
  })

  test('end a process that ignores SIGTERM', async () => {
    const options = { hardTimeoutMs: 400, graceMs: 200 }
    const { end } = await expectQuick(record(fixtures.command('ignores-sigterm.mjs'), options), 3000)
    expect(end.reason).toBe('hard-timeout')
  })
})

describe('what a command leaves', () => {
  test.for(['spawns-grandchild.mjs', 'clears-environment.mjs'])('is gone after a timeout of %s', async (name) => {
    const { end, grandchild } = await record(fixtures.command(name), { hardTimeoutMs: 500 })
    expect(end.reason).toBe('hard-timeout')
    expect(isAlive(grandchild)).toBe(false)
  })

  test('is gone after a normal end', async () => {
    const { end, grandchild } = await record(fixtures.command('leaves-grandchild.mjs'))
    expect(end).toEqual({ reason: 'exit', exitCode: 0 })
    expect(isAlive(grandchild)).toBe(false)
  })

  test.runIf(process.platform === 'linux').for(['go', 'stay'])(
    'is gone although it left group and parent (%s)',
    async (how) => {
      const { grandchild } = await record(fixtures.command('double-forks.mjs', how), { hardTimeoutMs: 500 })
      expect(grandchild).toBeGreaterThan(1)
      expect(isAlive(grandchild)).toBe(false)
    },
  )

  test.runIf(process.platform === 'linux')('is gone although it held the pipes', async () => {
    const { end, grandchild } = await expectQuick(record(fixtures.command('holds-pipe-open.mjs', 'marked')), 3000)
    expect(end).toEqual({ reason: 'exit', exitCode: 0 })
    expect(isAlive(grandchild)).toBe(false)
  })

  // By its limit it is found where there is `prlimit`, and was given in time.
  test('does not hold up the end when it holds the pipes and has no mark', async () => {
    const { end, grandchild } = await expectQuick(record(fixtures.command('holds-pipe-open.mjs', 'unmarked')), 4000)
    if (isAlive(grandchild)) process.kill(grandchild, 'SIGKILL')
    expect(end).toEqual({ reason: 'exit', exitCode: 0 })
  })

  test('holds nobody up when there is nothing', async () => {
    const startMs = performance.now()
    const { durationMs } = await record(fixtures.command('exits-with.mjs', '0'))
    expect(performance.now() - startMs - durationMs).toBeLessThan(200)
  })

  test('leaves other commands alone', async () => {
    let pid = 0
    const onSpawn = (spawned: number): void => void (pid = spawned)
    const other = startCommand(fixtures.command('forever.mjs'), { ...fixtures.options, hardTimeoutMs: 2000, onSpawn })
    await record(fixtures.command('spawns-grandchild.mjs'), { hardTimeoutMs: 300 })
    expect(carriers(fixtures.runMark)).toEqual([pid])
    expect((await other.ended).end.reason).toBe('hard-timeout')
  })
})

describe('a command that cannot be started', () => {
  async function failure(change: Partial<Command>, options: Partial<RunOptions> = {}): Promise<unknown> {
    const { end } = await record({ ...fixtures.command('forever.mjs'), ...change }, options)
    return end.reason === 'spawn-failed' ? [end.error.code, end.error.hint] : end
  }

  test('because the program is missing says so', async () => {
    expect(await failure({ argv: ['no-such-program-here'] })).toEqual([
      'EXEC_NOT_FOUND',
      expect.stringContaining('PATH'),
    ])
    expect(await failure({ argv: ['/no/such/program'] })).toEqual(['EXEC_NOT_FOUND', 'Correct the path.'])
  })

  test('because its interpreter is missing says so', async () => {
    const file = join(fixtures.directory, 'script')
    await writeFile(file, '#!/no/such/interpreter\n')
    await chmod(file, 0o755)
    expect(await failure({ argv: [file] })).toEqual(['EXEC_NOT_FOUND', expect.stringContaining('interpreter')])
  })

  test('because it may not be executed says so', async () => {
    const file = join(fixtures.directory, 'script')
    await writeFile(file, '#!/bin/sh\n')
    expect(await failure({ argv: [file] })).toEqual(['EXEC_NOT_EXECUTABLE', expect.stringContaining('chmod')])
  })

  test('because its directory is missing says so', async () => {
    expect(await failure({ cwd: join(fixtures.directory, 'none') })).toEqual(['EXEC_BAD_CWD', expect.anything()])
  })

  test('because an argument is too long says so', async () => {
    const argv = ['true', 'x'.repeat(4 * 1024 * 1024)] as const
    expect(await failure({ argv })).toEqual(['EXEC_TOO_LONG', expect.stringContaining('128 KiB')])
  })

  test('because of a NUL character says so', async () => {
    expect(await failure({ argv: ['true', 'a\0b'] })).toEqual(['EXEC_INVALID_ARGUMENT', expect.anything()])
    expect(await failure({ env: { NAME: 'a\0b' } })).toEqual(['EXEC_INVALID_ARGUMENT', expect.anything()])
  })

  test('because its mark is unusable says so', async () => {
    expect(await failure({}, { mark: 'a:b' })).toEqual(['EXEC_INVALID_MARK', undefined])
  })
})

describe('output', () => {
  test('of a quarter of a gigabyte keeps memory bounded', { timeout: 60_000 }, async () => {
    const before = process.memoryUsage().rss
    let count = 0
    const file = join(fixtures.directory, 'raw.log')
    const options = { hardTimeoutMs: 50_000, rawLogFile: file, onLine: () => void (count += 1) }
    const { end, tail } = await record(fixtures.command('floods-output.mjs', '256'), options)
    expect(end).toEqual({ reason: 'exit', exitCode: 0 })
    expect(count).toBe(256 * 1024)
    expect(tail).toHaveLength(4096)
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
    expect((await readFile(file, 'utf8')).slice(-100)).toMatch(/^cut\| .* \d{9} bytes .* dropped\.$/m)
  })

  test('in one endless line comes in pieces', async () => {
    const lines: string[] = []
    await record(fixtures.command('endless-line.mjs', '10'), { onLine: (_stream, line) => void lines.push(line) })
    expect(lines.map((line) => line.length >> 20)).toEqual([4, 4, 2])
    expect(lines.map((line) => line.endsWith('y [line continues]'))).toEqual([true, true, false])
  })

  test('may hold invalid UTF-8, characters in pieces and carriage returns', async () => {
    const { lines } = await record(fixtures.command('invalid-utf8.mjs'))
    expect(lines).toEqual(['out a\uFFFD\uFFFDb', 'out €', 'out \uFFFD'])
  })

  test('goes to the raw log', async () => {
    const file = join(fixtures.directory, 'raw.log')
    const result = await record(fixtures.command('prints-both-streams.mjs'), { rawLogFile: file })
    expect(result).not.toHaveProperty('rawLogError')
    expect((await readFile(file, 'utf8')).split('\n').toSorted()).toEqual(['', 'err| second', 'out| first'])
  })

  test('goes on when the raw log cannot be written', async () => {
    const file = join(fixtures.directory, 'none', 'raw.log')
    const { end, lines, rawLogError } = await record(fixtures.command('prints-both-streams.mjs'), { rawLogFile: file })
    expect(end).toEqual({ reason: 'exit', exitCode: 0 })
    expect(lines).toHaveLength(2)
    expect(rawLogError).toContain('ENOENT')
  })
})

describe('a callback that throws', () => {
  test.for(['onLine', 'onSpawn'] as const)('ends the command and is heard of (%s)', async (name) => {
    let pid = 0
    const callback = (): never => {
      throw new Error('a bug')
    }
    const running = startCommand(fixtures.command('silent-after-one-line.mjs'), {
      ...fixtures.options,
      onSpawn: (spawned) => void (pid = spawned),
      [name]: callback,
    })
    // It may fail before anybody waits for it.
    await sleep(200)
    await expect(running.ended).rejects.toThrow('a bug')
    expect(isAlive(pid)).toBe(false)
  })
})

test('keeps secrets out of the raw log and the tail, though they come in pieces, and out of nothing else', async () => {
  const rawLogFile = join(fixtures.directory, 'raw.log')
  const redactor = createRedactor([{ name: 'A_KEY', value: 'half-and-half' }])
  const script = "printf 'a half-an'; sleep 0.3; printf 'd-half b\\nhalf-and'; sleep 0.2; echo; printf 'half-and-half'"
  const command = { ...fixtures.command('exits-with.mjs'), argv: ['sh', '-c', script] as const }
  const { lines, tail } = await record(command, { rawLogFile, redactor })
  expect(lines).toEqual(['out a half-and-half b', 'out half-and', 'out half-and-half'])
  expect(tail).toBe('a ***A_KEY*** b\nhalf-and\n***A_KEY***')
  expect(await readFile(rawLogFile, 'utf8')).toBe('out| a ***A_KEY*** b\nout| half-and\nout| ***A_KEY***\n')
})
