import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createProject, type Program, type Project } from '../support/create-project.ts'
import { leftAfter, processesOf } from '../support/leftovers.ts'

/** Sends signals to all of the run that is not its own doing, says so, and waits for the word to go on. */
const agent = `import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
const rows = execFileSync('ps', ['-Ao', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\\n')
const all = rows.map((row) => /(\\d+) +(\\d+) (.*)/.exec(row.trim())).map(([, pid, parent, line]) => ({ pid: +pid, parent: +parent, line }))
const launcher = all.find(({ pid }) => pid === process.ppid)
const main = all.find(({ pid }) => pid === launcher.parent)
const others = all.filter(({ pid, parent, line }) => parent === main.pid && pid !== launcher.pid && /workers|node/.test(line))
const targets = process.env.TARGETS === 'main' ? [main] : [main, launcher, ...others]
writeFileSync('targets.json', JSON.stringify(targets))
while (!existsSync('go')) await new Promise((done) => setTimeout(done, 20))
for (let n = 0; n < (process.env.TIMES ?? 1); n += 1) for (const { pid } of targets) process.kill(pid, process.env.SIGNAL)
await new Promise((done) => setTimeout(done, 1_000))
writeFileSync('sent', '')
while (!existsSync('end')) await new Promise((done) => setTimeout(done, 20))
const field = (name) => new RegExp('^' + name + ': (.+)$', 'm').exec(process.argv.at(-1))?.[1]
const [, id] = /^- (\\d+-\\S+):/m.exec(process.argv.at(-1))
writeFileSync(field('Result log'), '---\\n' + JSON.stringify({ status: 'pass', run: field('Run id'), steps: [{ id, status: 'pass' }] }) + '\\n---\\n')
`

function createSignalProject(): Promise<Project> {
  const command = `{ command: [${JSON.stringify(process.execPath)}, 'agent.mjs', '{prompt}'] }`
  return createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: ${command} })] }\n`,
    'agent.mjs': agent,
    'a.test.md': '# A\n\n## Look\n\nLook around.\n',
  })
}

interface Target {
  readonly pid: number
  readonly line: string
}

async function targetsOf(project: Project): Promise<readonly Target[]> {
  await expect.poll(() => readdirSync(project.dir), { timeout: 30_000 }).toContain('targets.json')
  return JSON.parse(await project.read('targets.json')) as readonly Target[] // by the agent above
}

/** How many TCP ports a process listens on. */
function portsOf(pid: number): number {
  const rows = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/net/${name}`, 'utf8').split('\n'))
  const listening = new Set(
    rows.map((row) => row.trim().split(/\s+/)).flatMap((row) => (row[3] === '0A' ? [row[9]] : [])),
  )
  return readdirSync(`/proc/${pid}/fd`).filter((name) => {
    try {
      return listening.has(/^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${name}`))?.[1])
    } catch {
      return false // closed meanwhile
    }
  }).length
}

const runs: readonly (readonly [Program, readonly string[]])[] = [
  ['vitest', ['run']],
  ['vitest', ['run', '--pool=forks']],
  ['mdtest', ['run', 'a.test.md']],
]

describe.runIf(process.platform === 'linux')('an agent that sends SIGUSR1 to all processes of the run', () => {
  test.for(runs)('opens no debugger: %s %s', async ([program, args]) => {
    await using project = await createSignalProject()
    const running = project.start(program, args, { env: { SIGNAL: 'SIGUSR1', TIMES: '20' }, timeoutMs: 60_000 })
    const targets = await targetsOf(project)
    expect(targets.map(({ line }) => line).join('\n')).toContain('launcher-main')
    const before = targets.map(({ pid }) => portsOf(pid))
    await project.write('go', '')
    await expect.poll(() => readdirSync(project.dir), { timeout: 30_000 }).toContain('sent')
    expect(targets.map(({ pid }) => portsOf(pid))).toEqual(before)
    await project.write('end', '')
    const { exitCode, all } = await running
    expect([exitCode, String(all)]).toEqual([0, expect.not.stringMatching(/debugger|inspector/i)])
  })

  test('takes nothing from a user who starts Node.js with `--inspect`', async () => {
    await using project = await createSignalProject()
    const env = { SIGNAL: 'SIGUSR1', NODE_OPTIONS: '--inspect=127.0.0.1:0' }
    const running = project.start('vitest', ['run'], { env, timeoutMs: 60_000 })
    await targetsOf(project)
    await project.write('go', '')
    await project.write('end', '')
    expect(String((await running).all)).toMatch(/Debugger listening on ws:\/\/127\.0\.0\.1:\d+/)
  })
})

/** Those that end a process, and what Vitest's exit code is then; `undefined` for a process that a signal ended. */
const ending = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  'SIGQUIT',
  'SIGUSR2',
  'SIGPROF',
  'SIGALRM',
  'SIGABRT',
  'SIGPIPE',
] as const // names of signals

describe('an agent that sends signals to Vitest', () => {
  test.for(ending)('never makes a run green, and leaves nothing: %s', async (signal) => {
    await using project = await createSignalProject()
    const env = { SIGNAL: signal, TARGETS: 'main' }
    const running = project.start('vitest', ['run'], { env, timeoutMs: 60_000 })
    await project.write('go', '')
    if (signal === 'SIGPIPE') await project.write('end', '')
    const { exitCode } = await running
    // Node.js ignores this one, and so the run goes on.
    if (signal === 'SIGPIPE') expect(exitCode).toBe(0)
    else expect(exitCode).not.toBe(0)
    expect(await leftAfter(project.dir, 5_000)).toEqual([])
  })

  test('without end is not heard: SIGWINCH', async () => {
    await using project = await createSignalProject()
    const env = { SIGNAL: 'SIGWINCH', TARGETS: 'main', TIMES: '20000' }
    await project.write('go', '')
    await project.write('end', '')
    expect((await project.vitest(['run'], { env })).exitCode).toBe(0)
  })

  test('and stops it, stops all: it goes on with SIGCONT', async () => {
    await using project = await createSignalProject()
    const env = { SIGNAL: 'SIGSTOP', TARGETS: 'main' }
    const running = project.start('vitest', ['run'], { env, timeoutMs: 60_000 })
    await project.write('go', '')
    await project.write('end', '')
    await expect.poll(() => readdirSync(project.dir), { timeout: 30_000 }).toContain('sent')
    const main = processesOf(project.dir).find(({ line }) => line.includes('vitest.mjs'))
    if (main) process.kill(main.pid, 'SIGCONT')
    expect((await running).exitCode).toBe(0)
  })
})
