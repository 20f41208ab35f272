import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Command } from '../../../src/system/process/command.ts'
import {
  type CommandResult,
  runCommand,
  type RunningCommand,
  type RunOptions,
  startCommand,
} from '../../../src/system/process/run-command.ts'
import { createRedactor } from '../../../src/system/redaction/open-redactor.ts'
import { carriers, isAlive, until, useFixtures } from './use-fixtures.ts'

const fixtures = useFixtures()

interface Recorded extends CommandResult {
  readonly lines: readonly string[]
  /** Id that was printed of what it started. */
  readonly grandchild: number
}

async function record(command: Command, options: Partial<RunOptions> = {}): Promise<Recorded> {
  const lines: string[] = []
  const onLine: RunOptions['onLine'] = (stream, line) =>
    void lines.push(`${stream === 'stdout' ? 'out' : 'err'} ${line}`)
  const result = await runCommand(command, { ...fixtures.options, onLine, ...options })
  return { ...result, lines, grandchild: Number(/grandchild (\d+)/.exec(lines.join('\n'))?.[1]) }
}

/** What it is told to end at its first line gives. */
function recordUntilLine(command: Command, options: Partial<RunOptions> = {}): Promise<Recorded> {
  const abort = new AbortController()
  const lines: string[] = []
  const onLine: RunOptions['onLine'] = (_stream, line) => {
    lines.push(line)
    abort.abort()
  }
  return record(command, { signal: abort.signal, onLine, ...options }).then((result) => ({
    ...result,
    lines,
    grandchild: Number(/grandchild (\d+)/.exec(lines.join('\n'))?.[1]),
  }))
}

describe('a normal end', () => {
  test('tells how it came, and all that was printed', async () => {
    const [exit, signal, both, last] = await Promise.all(
      [
        'exit 42',
        'kill -9 $$',
        'echo first; echo second >&2',
        // A helper has its last words a moment after its parent.
        "(sleep 0.1; echo 'last words') & echo 'parent ends'",
      ].map((code) => record(fixtures.script(code))),
    )
    expect(exit).toMatchObject({ end: { reason: 'exit', exitCode: 42 }, lines: [], tail: '' })
    expect(exit?.startedAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(exit?.durationMs).toBeGreaterThan(0)
    expect(signal?.end).toEqual({ reason: 'signal', signal: 'SIGKILL' })
    expect(both?.lines.toSorted()).toEqual(['err second', 'out first'])
    expect(both?.tail.split('\n').toSorted()).toEqual(['', 'first', 'second'])
    expect(last?.lines).toEqual(['out parent ends', 'out last words'])
  })

  test('passes arguments on as they are, the environment and the marks, and nothing else', async () => {
    const { options } = fixtures
    const args = ['a b', '$HOME', '"', '*', '', '€']
    const env = { A: '1', MDTEST_MARKS: 'outer' }
    const program = ['/usr/bin/env', 'sh', '-c', 'for each; do echo "[$each]"; done; exec /usr/bin/env', 'sh'] as const
    const { lines } = await record({ argv: [...program, ...args], cwd: '/', env }, options)
    expect(lines.slice(0, args.length)).toEqual(args.map((each) => `out [${each}]`))
    // Variables that every shell sets.
    expect(lines.slice(args.length).filter((line) => !/^out (?:PWD|OLDPWD|SHLVL|_)=/.test(line))).toEqual([
      ...['out A=1', `out MDTEST_MARKS=outer:${options.runMark}:${options.mark}`],
    ])
  })
})

describe('limits', () => {
  test('end a command, and so does an abort', async () => {
    const busy = 'while :; do echo here; sleep 0.05; done'
    const ends = await Promise.all([
      record(fixtures.script(busy), { hardTimeoutMs: 400, silenceTimeoutMs: 60_000 }),
      record(fixtures.script('echo one line; sleep 60'), { silenceTimeoutMs: 400 }),
      record(fixtures.script('exec yes'), { hardTimeoutMs: 300, silenceTimeoutMs: 60_000, onLine: () => undefined }),
      recordUntilLine(fixtures.script('echo one line; sleep 60')),
    ])
    expect(ends.map(({ end }) => end)).toEqual([
      { reason: 'hard-timeout', limitMs: 400 },
      { reason: 'silence-timeout', limitMs: 400 },
      { reason: 'hard-timeout', limitMs: 300 },
      { reason: 'canceled' },
    ])
  })

  test('do not take an exit for a timeout that this process was too busy to see', async () => {
    let running: RunningCommand
    const pid = await new Promise<number>((onSpawn) => {
      running = startCommand(fixtures.script('exit 3'), { ...fixtures.options, hardTimeoutMs: 300, onSpawn })
    })
    const busyUntilMs = performance.now() + 350
    // Blocks this thread, as work would.
    while (performance.now() < busyUntilMs || isAlive(pid))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    expect((await running!.ended).end).toEqual({ reason: 'exit', exitCode: 3 })
  })

  test('start nothing when the abort came before', async () => {
    const onSpawn = (): never => {
      throw new Error('started')
    }
    const { end } = await record(fixtures.script('sleep 60'), { signal: AbortSignal.abort(), onSpawn })
    expect(end).toEqual({ reason: 'canceled' })
  })

  test('leave time to clean up after SIGTERM, and end who ignores it', async () => {
    const [polite, deaf] = await Promise.all([
      recordUntilLine(fixtures.command('cleans-up-on-sigterm.mjs'), { graceMs: 60_000 }),
      recordUntilLine(fixtures.command('ignores-sigterm.mjs'), { graceMs: 100 }),
    ])
    expect(polite.lines).toEqual(['ready', 'cleaning up', 'clean'])
    expect(deaf).toMatchObject({ lines: ['ready'], end: { reason: 'canceled' } })
  })
})

describe('what a command leaves', () => {
  const silently = '> /dev/null 2>&1 &'
  const toldOf = 'echo grandchild $!'
  // Only Linux finds what has a session of its own.
  const farAway =
    process.platform === 'linux'
      ? {
          'left the session of one that ends': `setsid sleep 60 ${silently} ${toldOf}`,
          'left the session of one that is ended': `setsid sleep 60 ${silently} ${toldOf}; wait`,
          'holds the pipes in a session of its own': `setsid sleep 60 & ${toldOf}`,
          'cleared its environment': `env -i setsid sleep 60 ${silently} ${toldOf}; wait`,
        }
      : {}
  const scripts = {
    'is a child of one that is ended': `sleep 60 & ${toldOf}; wait`,
    'is a child of one that ends': `sleep 60 ${silently} ${toldOf}`,
    ...farAway,
  }

  test('is gone', async () => {
    const found = await Promise.all(
      Object.entries(scripts).map(async ([title, code]) => {
        const run = code.endsWith('wait') ? recordUntilLine : record
        const { end, grandchild } = await run(fixtures.script(code))
        return [title, end.reason, grandchild > 1, isAlive(grandchild)]
      }),
    )
    expect(found).toEqual(
      Object.entries(scripts).map(([title, code]) => [title, code.endsWith('wait') ? 'canceled' : 'exit', true, false]),
    )
  })

  // By its limit it is found where there is `prlimit`, and was given in time.
  test('does not hold up the end when it holds the pipes and has no mark', async () => {
    const { end, grandchild } = await record(fixtures.script(`env -i setsid sleep 600 & ${toldOf}`))
    if (isAlive(grandchild)) process.kill(grandchild, 'SIGKILL')
    expect(end).toEqual({ reason: 'exit', exitCode: 0 })
  })

  test('is nothing of another command', async () => {
    const abort = new AbortController()
    let pid = 0
    const onSpawn = (spawned: number): void => void (pid = spawned)
    const other = startCommand(fixtures.script('exec sleep 60'), { ...fixtures.options, signal: abort.signal, onSpawn })
    await recordUntilLine(fixtures.script(`sleep 60 & ${toldOf}; wait`))
    expect(carriers(fixtures.runMark)).toEqual([pid])
    abort.abort()
    expect((await other.ended).end.reason).toBe('canceled')
  })
})

test('a command that cannot be started says why', async () => {
  const file = join(fixtures.directory, 'script')
  await writeFile(file, '#!/bin/sh\n')
  const failures = [
    ['EXEC_NOT_FOUND', { argv: ['no-such-program-here'] }],
    ['EXEC_NOT_EXECUTABLE', { argv: [file] }],
    ['EXEC_BAD_CWD', { cwd: join(fixtures.directory, 'none') }],
    ['EXEC_INVALID_ARGUMENT', { env: { NAME: 'a\0b' } }],
  ] as const
  for (const [code, change] of failures) {
    const { end } = await record({ ...fixtures.script('sleep 60'), ...change })
    expect(end).toMatchObject({ reason: 'spawn-failed', error: { code } })
  }
})

describe('output', () => {
  test('may be a long line, no UTF-8, cut within a character and without an end', async () => {
    const { lines } = await record(
      fixtures.script(`printf 'a\\377\\376b\\n\\342'; sleep 0.1; printf '\\202\\254\\nyyyyyyyyyy\\n\\302'`),
      { maxLineChars: 4 },
    )
    expect(lines).toEqual([
      ...['out a\uFFFD\uFFFDb', 'out €', 'out yyyy [line continues]', 'out yyyy [line continues]', 'out yy'],
      'out \uFFFD',
    ])
  })

  test('goes to the raw log, and goes on where that cannot be written', async () => {
    const [good, bad] = [join(fixtures.directory, 'raw.log'), join(fixtures.directory, 'none', 'raw.log')]
    const code = 'echo first; echo second >&2'
    expect(await record(fixtures.script(code), { rawLogFile: good })).not.toHaveProperty('rawLogError')
    expect((await readFile(good, 'utf8')).split('\n').toSorted()).toEqual(['', 'err| second', 'out| first'])
    const { end, lines, rawLogError } = await record(fixtures.script(code), { rawLogFile: bad })
    expect(end).toEqual({ reason: 'exit', exitCode: 0 })
    expect(lines).toHaveLength(2)
    expect(rawLogError).toContain('ENOENT')
  })

  test('keeps secrets out of the raw log and the tail, though they come in pieces, and out of nothing else', async () => {
    const rawLogFile = join(fixtures.directory, 'raw.log')
    const redactor = createRedactor([{ name: 'A_KEY', value: 'half-and-half' }])
    const code = "printf 'a half-an'; sleep 0.1; printf 'd-half b\\nhalf-and'; sleep 0.1; echo; printf 'half-and-half'"
    const { lines, tail } = await record(fixtures.script(code), { rawLogFile, redactor })
    expect(lines).toEqual(['out a half-and-half b', 'out half-and', 'out half-and-half'])
    expect(tail).toBe('a ***A_KEY*** b\nhalf-and\n***A_KEY***')
    expect(await readFile(rawLogFile, 'utf8')).toBe('out| a ***A_KEY*** b\nout| half-and\nout| ***A_KEY***\n')
  })
})

test.for(['onLine', 'onSpawn'] as const)(
  'a callback that throws ends the command and is heard of (%s)',
  async (name) => {
    let pid = 0
    const callback = (): never => {
      throw new Error('a bug')
    }
    const running = startCommand(fixtures.script('echo one line; sleep 60'), {
      ...fixtures.options,
      onSpawn: (spawned) => void (pid = spawned),
      [name]: callback,
    })
    // It fails before anybody waits for it.
    await until(() => (pid !== 0 || name === 'onSpawn') && carriers(fixtures.runMark).length === 0)
    await expect(running.ended).rejects.toThrow('a bug')
    expect(isAlive(pid)).toBe(false)
  },
)
