import { execFileSync } from 'node:child_process'
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
  /** Waits for the end; what `mdtest run -i` exited with, and whether the terminal is as it was. */
  end(): Promise<{ readonly code: string | undefined; readonly isRestored: boolean; readonly left: readonly string[] }>
}

/** Somebody runs `mdtest run -i` in a terminal; the agent is ready. */
async function open({
  specs = { 'shop.test.md': spec('Shop') },
  env: added = {},
  flags = '',
}: { specs?: Record<string, string>; env?: Record<string, string>; flags?: string } = {}): Promise<Session> {
  const { project, env } = await projectWithInterface(specs)
  const command = `echo $$ > pid; exec ${lane.node} node_modules/vitest-mdtest/dist/bin.js run -i `
  const line = `stty -g > before; sh -c '${command}${flags}'; echo "code $?"; stty -g > after`
  const terminal = openUserTerminal(line, { cwd: project.dir, env: { ...env, ...added } })
  await terminal.shows('ready')
  return {
    project,
    terminal,
    kill: async (signal) => void process.kill(Number(await project.read('pid')), signal),
    async end() {
      await terminal.ended
      const [before, after] = await Promise.all([project.read('before'), project.read('after')])
      const code = /code (\d+)/.exec(terminal.output)?.[1]
      return { code, isRestored: before === after, left: await leftAfter(project.dir) }
    },
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  }
}

/** A module after whose import no package of this scope can be loaded. */
function refuse(scope: string): string {
  const hook = `export const resolve = (name, context, next) => {
    if (name.startsWith('${scope}')) throw new Error('not installed')
    return next(name, context)
  }`
  const register = `import { register } from 'node:module'; register(${JSON.stringify(moduleOf(hook))})`
  return moduleOf(register)
}

/** Also without blanks and quotes: shells and `NODE_OPTIONS` take them apart. */
function moduleOf(code: string): string {
  return `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
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
  test('an agent that does not end when it is done is ended', async () => {
    // What looks for secrets in the recording is optional.
    const env = { STUBBORN: '1', NODE_OPTIONS: `--import=${refuse('@xterm/')}` }
    await using session = await open({ env })
    session.terminal.type('pass\r')
    expect(await session.end()).toEqual({ code: '0', isRestored: true, left: [] })
    expect(session.terminal.output).toMatch(/the recording of it is dropped: .*`@xterm\/headless`.* not installed/)
    expect(await recordingsIn(session.project, 'shop.logs')).toEqual([])
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

  test.each(['SIGTERM', 'SIGHUP'] as const)('%s, twice, ends the run in good order', async (signal) => {
    await using session = await open()
    await session.kill(signal)
    // It may have ended meanwhile.
    await session.kill(signal).catch(() => undefined)
    expect(await session.end()).toEqual({ code: '143', isRestored: true, left: [] })
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

  test('a worker that dies takes its agent along', async () => {
    await using session = await open({ env: { ON_SIGUSR2: 'end worker' } })
    await session.kill('SIGUSR2')
    expect(await session.end()).toEqual({ code: '1', isRestored: true, left: [] })
  })

  test('without the package for it nothing is run', async () => {
    const { project, env } = await projectWithInterface()
    await using _project = project
    const line = `${lane.node} --import '${refuse('@lydell/')}' node_modules/vitest-mdtest/dist/bin.js run -i; echo "code $?"`
    const terminal = openUserTerminal(line, { cwd: project.dir, env })
    await terminal.ended
    expect(terminal.output).toMatch(/^mdtest: .*`@lydell\/node-pty`, which is not installed.*\r\ncode 2\r\n$/)
  })

  test('SIGTSTP stops both and gives the terminal back, SIGCONT goes on', async () => {
    await using session = await open()
    const before = session.terminal.output.length
    await session.kill('SIGTSTP')
    await session.terminal.shows('\u001b[?1049l')
    const agent = processesOf(session.project.dir).find(({ line }) => line.includes('bin/claude'))?.pid ?? 0
    expect(await happensWithin(2_000, () => stateOf(agent) === 'T')).toBe(true)
    await session.kill('SIGCONT')
    await session.terminal.shows('size 100x30')
    expect(session.terminal.output.slice(before)).toContain('\u001b[?1049h')
    session.terminal.type('pass\r')
    expect(await session.end()).toEqual({ code: '0', isRestored: true, left: [] })
  })

  test('nothing is left of an agent whose mdtest was killed', async () => {
    await using session = await open({ env: { STUBBORN: '1' } })
    await session.kill('SIGKILL')
    await session.terminal.ended
    expect(await leftAfter(session.project.dir, 5_000)).toEqual([])
    expect(await recordingsIn(session.project, 'shop.logs')).toEqual([])
    expect(await happensWithin(0, () => session.terminal.output.includes('code 137'))).toBe(true)
  })
})
