import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { verdictsOf } from '../support/json-report.ts'
import { processesOfHome } from '../support/processes.ts'
import { runsFirst, writesLog } from '../support/scripts/wayward.ts'
import { claude, codex, codexCodeMode, createRealProject, skipReason } from './real-project.ts'
import type { RealProject } from './real-project.ts'

const spec = '# Shop\n\n## Add a mug\n\nPut a mug into the cart.\n'
const passingLog = writesLog(({ runId }) => `status: pass\nrun: "${runId}"`)
const script = runsFirst(`python3 -c "import time; open('started', 'w'); time.sleep(300)"`, passingLog)
const allow = ['Bash(python3 *)']

/** Files of the project that mdtest and the agent put there; codex makes empty folders as mount points. */
const filesOf = ({ project }: RealProject): readonly string[] =>
  readdirSync(project.dir).filter(
    (name) => !['node_modules', 'package.json', 'vitest.config.js', 'started', '.report.json'].includes(name),
  )

describe.skipIf(skipReason !== '').each([claude, codex, codexCodeMode])(`$title at work${skipReason}`, (dialect) => {
  const { agent, title: _title, ...more } = dialect
  const start = async (text: string): Promise<RealProject> =>
    createRealProject({ ...more, script, options: { agent, allow }, files: { 'shop.test.md': text } })
  const atWork = (real: RealProject): Promise<boolean> =>
    vi.waitUntil(() => existsSync(real.project.path('started')), { timeout: 60_000, interval: 100 })

  test('is ended with all it started by the time limit', async () => {
    await using real = await start(`---\ntimeout: 6s\n---\n\n${spec}`)
    const { exitCode, stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    expect(existsSync(real.project.path('started'))).toBe(true)
    expect(verdictsOf(stdout, 'shop.test.md')).toEqual(['blocked AGENT_TIMEOUT'])
    expect(exitCode).toBe(1)
    expect(await real.leftovers()).toEqual([])
    expect(filesOf(real)).toEqual(['shop.logs', 'shop.test.md'])
  })

  test('is ended with all it started by Ctrl-C', async () => {
    await using real = await start(spec)
    const running = real.project.start('mdtest', ['run'], { env: real.env })
    await atWork(real)
    running.kill('SIGINT')
    expect((await running).exitCode).toBe(130)
    expect(await real.leftovers()).toEqual([])
    expect(filesOf(real)).toEqual(['shop.logs', 'shop.test.md'])
  })

  test('is ended with all it started when the main process is killed', async () => {
    await using real = await start(spec)
    const running = real.project.start('vitest', ['run'], { env: real.env })
    await atWork(real)
    running.kill('SIGKILL')
    await running
    const home = real.env.HOME?.replace(/\/home$/, '') ?? ''
    // A process that executes another program cannot be seen for a moment: that none is seen is not yet the end.
    const end = (): void => expect([processesOfHome(home), filesOf(real)]).toEqual([[], ['shop.logs', 'shop.test.md']])
    await vi.waitFor(end, { timeout: 20_000, interval: 200 })
  })
})
