import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createProject, type Project } from '../support/create-project.ts'
import { processesOf } from '../support/leftovers.ts'

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
for (const signal of process.env.SIGNAL.split(' ')) for (let n = 0; n < (process.env.TIMES ?? 1); n += 1) for (const { pid } of targets) process.kill(pid, signal)
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
  await expect.poll(() => readdirSync(project.dir), { timeout: farMs }).toContain('targets.json')
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

const farMs = 200_000
const sent = async (project: Project): Promise<void> =>
  expect.poll(() => existsSync(project.path('sent')), { timeout: farMs }).toBe(true)

// Those that end it: kill.slow.test.ts.
describe.runIf(process.platform === 'linux')('an agent that sends', () => {
  test('SIGUSR1 to all processes of the run opens no debugger', async () => {
    await using project = await createSignalProject()
    const env = { SIGNAL: 'SIGUSR1', TIMES: '20' }
    const running = project.start('vitest', ['run', '--pool=forks'], { env, timeoutMs: farMs })
    const targets = await targetsOf(project)
    const lines = targets.map(({ line }) => line).join('\n')
    expect([lines, lines]).toEqual([expect.stringContaining('launcher-main'), expect.stringContaining('workers/forks')])
    const before = targets.map(({ pid }) => portsOf(pid))
    await project.write('go', '')
    await sent(project)
    expect(targets.map(({ pid }) => portsOf(pid))).toEqual(before)
    await project.write('end', '')
    const { exitCode, all } = await running
    expect([exitCode, String(all)]).toEqual([0, expect.not.stringMatching(/debugger|inspector/i)])
  })

  test('SIGUSR1 takes nothing from a user who starts Node.js with `--inspect`', async () => {
    await using project = await createSignalProject()
    const env = { SIGNAL: 'SIGUSR1', NODE_OPTIONS: '--inspect=127.0.0.1:0' }
    for (const word of ['go', 'end']) await project.write(word, '')
    const { all } = await project.vitest(['run'], { env })
    expect(all).toMatch(/Debugger listening on ws:\/\/127\.0\.0\.1:\d+/)
  })

  test('SIGPIPE, SIGWINCH and SIGSTOP to Vitest does not end it: it goes on with SIGCONT', async () => {
    await using project = await createSignalProject()
    const env = { SIGNAL: 'SIGPIPE SIGWINCH SIGSTOP', TARGETS: 'main', TIMES: '5000' }
    for (const word of ['go', 'end']) await project.write(word, '')
    const running = project.start('vitest', ['run'], { env, timeoutMs: farMs })
    await sent(project)
    const main = processesOf(project.dir).find(({ line }) => line.includes('vitest.mjs'))
    if (main) process.kill(main.pid, 'SIGCONT')
    expect((await running).exitCode).toBe(0)
  })
})
