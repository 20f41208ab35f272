import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Project } from '../support/create-project.ts'
import { happensWithin, leftAfter, processesOf } from '../support/leftovers.ts'
import { projectWithInterface } from '../support/scripted-interface.ts'
import { lane } from '../support/lane.ts'
import { brokenRecordingsIn, recordingsIn } from '../support/session-recordings.ts'
import { openUserTerminal, type UserTerminal } from '../support/user-terminal.ts'

const spec = (name: string): string => `# ${name}\n\n## Add a mug\n\nPut a mug into the cart.\n`
const everyByte = String.fromCharCode(...Array(256).keys())

interface Session extends AsyncDisposable {
  readonly project: Project
  readonly terminal: UserTerminal
  /** Sends a signal to mdtest. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Waits for the end; what `mdtest run` exited with, and whether the terminal is as it was. */
  end(): Promise<{ readonly code: string | undefined; readonly isRestored: boolean; readonly left: readonly string[] }>
}

/** Somebody runs `mdtest run` in a terminal; the agent is ready. */
async function open({
  specs = { 'shop.test.md': spec('Shop') },
  env: added = {},
  flags = '',
  programs = {},
}: {
  specs?: Record<string, string>
  env?: Record<string, string>
  flags?: string
  programs?: Record<string, string>
} = {}): Promise<Session> {
  const { project, env } = await projectWithInterface(specs, programs)
  const command = `echo $$ > pid; exec ${lane.node} node_modules/vitest-mdtest/dist/bin.js run `
  // Whoever was killed cannot put the terminal back before the shell goes on.
  const settle = 'n=0; until stty -g > after; cmp -s before after || [ $((n += 1)) -gt 100 ]; do sleep 0.1; done'
  const line = `stty -g > before; sh -c '${command}${flags}'; echo $? > code; ${settle}`
  const terminal = openUserTerminal(line, { cwd: project.dir, env: { ...env, ...added } })
  await terminal.shows(Object.keys(programs).length === 0 ? 'ready' : 'carries out')
  return {
    project,
    terminal,
    kill: async (signal) => void process.kill(Number(await project.read('pid')), signal),
    async end() {
      await terminal.ended
      const [before, after, code] = await Promise.all(['before', 'after', 'code'].map((name) => project.read(name)))
      return { code: code?.trim(), isRestored: before === after, left: await leftAfter(project.dir, 10_000) }
    },
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  }
}

/** `T` for a process that is stopped. */
function stateOf(pid: number): string | undefined {
  return execFileSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' })[0]
}

/** Undone is what the agent's interface had set, its screen last. */
const restored = '\u001b[<1u\u001b[?1000l\u001b[?1006l\u001b[?2004l\u001b[?25h\u001b[?1049l\u001b[0m\u001b[23;0t'
const modesAtEnd = (output: string): readonly string[] =>
  (/(?:\u001b\[[?<]?[\d;]*[a-z]){6,}$/.exec(output.slice(0, output.lastIndexOf('\u001b[23;0t') + 7))?.[0] ?? '')
    .split(/(?=\u001b)/)
    .toSorted()

describe.concurrent("the agent's own interface in a terminal", () => {
  test('-i shows it whatever else speaks against it; an agent that does not end when it is done is ended', async () => {
    const env = { STUBBORN: '1', CI: '1', CLAUDECODE: '1' }
    await using session = await open({ flags: '-i', env })
    session.terminal.type('pass\r')
    expect(await session.end()).toEqual({ code: '0', isRestored: true, left: [] })
    expect(await recordingsIn(session.project, 'shop.logs')).toHaveLength(1)
  })

  test('passes every byte both ways, follows the size, quits, and tells what came of each spec', async () => {
    await using session = await open({ specs: { 'a.test.md': spec('A'), 'b.test.md': spec('B') } })
    const { terminal } = session
    terminal.resize(111, 33)
    await terminal.shows('size 111x33')
    terminal.type('bytes\r')
    await terminal.shows(`<${everyByte}>`)
    terminal.type('echo\r')
    await terminal.shows('echoes')
    terminal.type(Buffer.from(everyByte, 'latin1'))
    await terminal.shows(`echoes${everyByte}`)
    terminal.type('end of echo')
    await terminal.shows('end of echo')
    terminal.type('pass\r')
    await terminal.shows(/B \(spec 2 of 2\)[^]*ready/)
    terminal.type('fail\r')
    expect(await session.end()).toEqual({ code: '1', isRestored: true, left: [] })
    const lines = terminal.output.split('\r\n').filter((text) => /mdtest: claude|\d passed, \d/.test(text))
    expect(lines.map((text) => text.replace(/^.*(?=mdtest:|1 passed)/, '').replace(/\d+s/, 'Ns'))).toEqual([
      'mdtest: claude carries out a.test.md > A (spec 1 of 2)',
      'mdtest: claude is done with a.test.md > A after Ns: pass',
      'mdtest: claude carries out b.test.md > B (spec 2 of 2)',
      'mdtest: claude is done with b.test.md > B after Ns: fail',
      '1 passed, 1 failed',
    ])
    expect(modesAtEnd(terminal.output)).toEqual(restored.split(/(?=\u001b)/).toSorted())
  })

  test('one Ctrl-C is for the agent, two end the run', async () => {
    await using session = await open()
    session.terminal.type('\u0003')
    await session.terminal.shows('interrupt 1')
    await sleep(1_200)
    session.terminal.type('size\r')
    await session.terminal.shows('size 100x30')
    session.terminal.type('\u001b[99;5u')
    session.terminal.type('\u0003')
    expect(await session.end()).toEqual({ code: '130', isRestored: true, left: [] })
  })

  test('an agent that crashes leaves nothing of it in the terminal', async () => {
    await using session = await open()
    session.terminal.type('crash\r')
    expect(await session.end()).toEqual({ code: '1', isRestored: true, left: [] })
    expect(session.terminal.output).toContain('out of mugs')
    expect(await recordingsIn(session.project, 'shop.logs')).toHaveLength(1)
    expect(await brokenRecordingsIn(session.project, 'shop.logs')).toEqual([])
    expect(modesAtEnd(session.terminal.output)).toEqual(restored.split(/(?=\u001b)/).toSorted())
  })

  test.each([
    ['SIGINT', '130'],
    ['SIGTERM', '143'],
    ['SIGHUP', '143'],
  ] as const)('%s, twice, reaches the agent and ends the run in good order', async (signal, code) => {
    await using session = await open()
    await session.kill(signal)
    await happensWithin(5_000, () => existsSync(session.project.path('signals')))
    // It may have ended meanwhile.
    await session.kill(signal).catch(() => undefined)
    expect(await session.end()).toEqual({ code, isRestored: true, left: [] })
    expect(await session.project.read('signals')).toContain(signal)
    expect(await brokenRecordingsIn(session.project, 'shop.logs')).toEqual([])
  })

  test('an error that nobody catches puts the terminal back, too', async () => {
    await using session = await open({ env: { ON_SIGUSR2: 'throw' } })
    await session.kill('SIGUSR2')
    expect(await session.end()).toEqual({ code: '1', isRestored: true, left: [] })
  })

  test('a key is a sign of life, a wheel that turns is none', async () => {
    await using session = await open({ flags: '--silence-timeout 3s' })
    const startMs = performance.now()
    session.terminal.type('spin\r')
    for (const _count of [1, 2, 3]) {
      await sleep(1_000)
      session.terminal.type('x')
    }
    expect(await session.end()).toEqual({ code: '1', isRestored: true, left: [] })
    expect(session.terminal.output).toContain('AGENT_SILENT')
    expect(performance.now() - startMs).toBeGreaterThan(5_900)
  })

  test.for(['', 'repaint\r'])(
    'whose hooks are not run has ended when its log is complete and its screen still: %j',
    async (keys) => {
      await using session = await open({ env: { NO_HOOKS: '1' } })
      const startMs = performance.now()
      session.terminal.type(`pass\r${keys}`)
      expect(await session.end()).toEqual({ code: '0', isRestored: true, left: [] })
      expect(performance.now() - startMs).toBeGreaterThan(10_000)
      expect(session.terminal.output).toContain('interrupt 2')
      expect(session.terminal.output).toMatch(/claimed/)
    },
  )

  test.for([
    ['pass', 'wheel', 'AGENT_TIMEOUT'],
    ['size', 'size', 'AGENT_TIMEOUT'],
  ])('whose hooks are not run is waited for while it works or has no log: %s, %s', async ([first, second, code]) => {
    await using session = await open({ env: { NO_HOOKS: '1' }, flags: '--timeout 16s' })
    session.terminal.type(`${first}\r${second}\r`)
    expect(await session.end()).toEqual({ code: '1', isRestored: true, left: [] })
    expect(session.terminal.output).toContain(code)
    expect(session.terminal.output).not.toContain('interrupt')
  })

  test('a worker that dies takes its agent along', async () => {
    await using session = await open({ env: { ON_SIGUSR2: 'end worker' } })
    await session.kill('SIGUSR2')
    expect(await session.end()).toEqual({ code: '1', isRestored: true, left: [] })
  })

  test('SIGTSTP stops all of both and gives the terminal back, SIGCONT goes on', async () => {
    await using session = await open()
    session.terminal.type('leave\r')
    const findAll = (): readonly number[] =>
      processesOf(session.project.dir)
        .filter(({ line }) => /bin\/claude|sleep 1000/.test(line))
        .map(({ pid }) => pid)
    expect(await happensWithin(10_000, () => findAll().length === 2)).toBe(true)
    // Of no meaning to those who were not stopped, but for a redraw.
    await session.kill('SIGCONT')
    await session.terminal.shows('size 100x30')
    const before = session.terminal.output.length
    await session.kill('SIGTSTP')
    await session.terminal.shows('\u001b[?1049l')
    expect(await happensWithin(10_000, () => findAll().every((pid) => stateOf(pid) === 'T'))).toBe(true)
    await session.kill('SIGCONT')
    expect(await happensWithin(10_000, () => session.terminal.output.includes('size 100x30', before))).toBe(true)
    expect(await happensWithin(10_000, () => findAll().every((pid) => stateOf(pid) !== 'T'))).toBe(true)
    expect(session.terminal.output.slice(before)).toContain('\u001b[?1049h')
    session.terminal.type('pass\r')
    expect(await session.end()).toEqual({ code: '0', isRestored: true, left: [] })
    const titles = session.terminal.output.match(/\u001b\[2[23];0t/g)?.map((text) => text.slice(2, 4))
    expect(titles).toEqual(['22', '23', '22', '23'])
  })

  test('an mdtest that was killed leaves no agent, and the terminal as it was', async () => {
    await using session = await open({ env: { STUBBORN: '1' } })
    await session.kill('SIGKILL')
    expect(await session.end()).toEqual({ code: '137', isRestored: true, left: [] })
    expect(modesAtEnd(session.terminal.output.replace(/code 137\r?\n/, ''))).toEqual(
      restored.split(/(?=\u001b)/).toSorted(),
    )
    expect(await recordingsIn(session.project, 'shop.logs')).toEqual([])
  })

  test('an mdtest that is killed while it takes the terminal leaves it as it was', async () => {
    const stty = '#!/bin/sh\n[ "$1" != -opost ] || kill -9 "$PPID"\nPATH=/usr/bin:/bin exec stty "$@"\n'
    await using session = await open({ programs: { stty } })
    expect(await session.end()).toEqual({ code: '137', isRestored: true, left: [] })
  })
})
