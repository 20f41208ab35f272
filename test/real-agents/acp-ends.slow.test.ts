import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { leftAfter, processesOf, type ProjectProcess } from '../support/leftovers.ts'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { acpAgents, createRealProject, skipReason } from './real-project.ts'

const files = {
  'shop.test.md': '# Shop\n\n## Wait\n\nRun `node wait.mjs`. It prints "nothing".\n',
  'wait.mjs': "import { writeFileSync } from 'node:fs'\nwriteFileSync('started', '')\nsetTimeout(() => {}, 1e6)\n",
}

const isOurProgram = ({ line }: ProjectProcess): boolean => line.includes('dist/agents/acp/program/main.js')
const isLauncher = ({ line }: ProjectProcess): boolean => line.includes('launcher-main.js')
const isRun = ({ line }: ProjectProcess): boolean => / run\b/.test(line)

/** Who gets which signal in the middle of a command, and the exit code of the run where it tells one. */
const ends = [
  { what: 'Ctrl-C', signal: 'SIGINT', isMeant: isRun, exitCode: 130 },
  { what: 'SIGTERM', signal: 'SIGTERM', isMeant: isRun, exitCode: 143 },
  { what: 'kill -9 of the run', signal: 'SIGKILL', isMeant: isRun, exitCode: undefined },
  { what: 'kill -9 of our program', signal: 'SIGKILL', isMeant: isOurProgram, exitCode: 1 },
  { what: 'kill -9 of the agent', signal: 'SIGKILL', isMeant: isAgent, exitCode: 1 },
  { what: 'kill -9 of the launcher', signal: 'SIGKILL', isMeant: isLauncher, exitCode: 1 },
  {
    what: 'kill -9 of all that is ours at once',
    signal: 'SIGKILL',
    isMeant: (one: ProjectProcess) => isRun(one) || isLauncher(one) || isOurProgram(one),
    exitCode: undefined,
  },
  {
    what: 'kill -9 of run, our program and agent at once',
    signal: 'SIGKILL',
    isMeant: (one: ProjectProcess, title: string) => isRun(one) || isOurProgram(one) || isAgent(one, title),
    exitCode: undefined,
  },
] as const // signals

/** Its program, and those that it starts by the same name. */
function isAgent({ line }: ProjectProcess, title: string): boolean {
  return [`/${title} `, `/${title}-code/`].some((part) => line.includes(part)) || line.startsWith(`${title} `)
}

/** Sockets, pipes and what bears our name below a folder, but for a socket that Qwen Code leaves wherever it is killed. */
function oddFilesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const stats = lstatSync(join(folder, name))
    if (name.startsWith('qwen-socks-')) return false
    return stats.isSocket() || stats.isFIFO() || name.startsWith('mdtest')
  })
}

describe.skipIf(skipReason !== '').each(acpAgents)(
  `nothing of $title is left${skipReason}`,
  ({ agent, title, ...more }) => {
    test.for(ends)('after $what', async ({ signal, isMeant, exitCode }) => {
      await using real = await createRealProject({
        ...more,
        script: reportSpec,
        options: { agent, allow: ['Bash(node *)'] },
        files,
      })
      const root = dirname(real.env.HOME ?? '')
      const running = real.project.start('mdtest', ['run'], { env: real.env })
      await vi.waitUntil(() => existsSync(real.project.path('started')), { timeout: 60_000, interval: 50 })
      const meant = processesOf(root).filter((one) => isMeant(one, title))
      expect(meant).not.toEqual([])
      for (const { pid } of meant) process.kill(pid, signal)
      expect((await running).exitCode).toBe(exitCode)
      expect(await leftAfter(root, 20_000)).toEqual([])
      await vi.waitFor(() => expect(oddFilesIn(join(root, 't'))).toEqual([]), { timeout: 10_000, interval: 200 })
    })
  },
)
