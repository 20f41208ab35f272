import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { fixReportSchema, type FixReport } from '../../src/commands/fix/session/fix-report.ts'
import { sessionFolder, sessionsDir } from '../../src/commands/fix/session/session-store.ts'
import { sessionStateSchema, type SessionState } from '../../src/commands/fix/session/session-state.ts'
import { leftAfter, processesOf, temporaryFoldersIn, type ProjectProcess } from '../support/leftovers.ts'
import { openBuggyRepository, type BuggyRepository } from './buggy-repository.ts'
import { playAttempts, type Attempt } from './fix-attempts.ts'
import { acpAgents } from './real-project.ts'
import { startRealAgents, type RealAgents } from './start-real-agents.ts'

const bin = fileURLToPath(new URL('../../dist/bin.js', import.meta.url))

export interface FixSessionSetup {
  /** Names of patches. */
  readonly bugs: readonly string[]
  readonly agent: 'claude' | 'codex' | (typeof acpAgents)[number]['agent']
  readonly attempts: (repository: BuggyRepository) => readonly Attempt[]
}

/** How `mdtest fix --json` ended. */
export interface FixEnd {
  /** `undefined` where a signal ended it. */
  readonly exitCode: number | undefined
  readonly stderr: string
  /** What was printed, by its schema, if anything was. */
  readonly report?: FixReport
}

/** A repository with bugs, and a real agent whose model has a plan. */
export interface FixSession extends AsyncDisposable {
  readonly root: string
  readonly repository: BuggyRepository
  readonly model: RealAgents['model']
  /** As they were before anything ran. */
  readonly filesBefore: Readonly<Record<string, string>>
  /** From now on the model does this. */
  plan(attempts: readonly Attempt[]): void
  /** `mdtest fix` of a new session, or with `--resume`. */
  fix(...args: string[]): RunningFix
  /** A file in the folder of the session. */
  read(name: string): string
  has(name: string): boolean
  state(): SessionState
  /** All that runs for it now. */
  processes(): readonly ProjectProcess[]
  /** What is left of it after a moment: command lines, and folders of ours. */
  leftovers(): Promise<readonly string[]>
}

export interface RunningFix {
  readonly pid: number | undefined
  readonly ended: Promise<FixEnd>
}

/** Makes it all; `await using` ends and removes it. */
export async function openFixSession({ agent, attempts, bugs }: FixSessionSetup): Promise<FixSession> {
  let planned: readonly Attempt[] = []
  const agents = await startRealAgents({
    script: (conversation) => playAttempts(planned, root)(conversation),
    clis: acpAgents.find((one) => one.agent === agent)?.clis,
  })
  const { work: root, model } = agents
  const repository = openBuggyRepository(bugs, root)
  planned = attempts(repository)
  const folder = (): string => sessionFolder(root, idOf(root))
  return {
    root,
    repository,
    model,
    filesBefore: repository.files(),
    plan: (others) => void (planned = others),
    fix: (...args) => {
      const isNew = !args.includes('--resume')
      const flags = ['fix', ...(isNew ? ['--feature', 'it', '--agent', agent] : []), '--json', ...args]
      const options = { cwd: root, env: agents.env, extendEnv: false, reject: false } as const // literals
      const running = execa(process.execPath, [bin, ...flags], { ...options, stdin: 'ignore', timeout: 280_000 })
      return {
        pid: running.pid,
        ended: running.then(({ exitCode, stdout, stderr }) => toEnd({ exitCode, stdout, stderr })),
      }
    },
    read: (name) => readFileSync(join(folder(), name), 'utf8'),
    has: (name) => existsSync(join(folder(), name)),
    state: () => sessionStateSchema.parse(JSON.parse(readFileSync(join(folder(), 'state.json'), 'utf8'))),
    processes: () => processesOf(agents.root),
    leftovers: async () => [...(await leftAfter(agents.root, 60_000)), ...temporaryFoldersIn(join(agents.root, 't'))],
    [Symbol.asyncDispose]: () => agents[Symbol.asyncDispose](),
  }
}

/** Of the one session that there is. */
function idOf(root: string): string {
  return readdirSync(join(root, sessionsDir))[0] ?? ''
}

function toEnd({ exitCode, stdout, stderr }: Omit<FixEnd, 'report'> & { readonly stdout: string }): FixEnd {
  return { exitCode, stderr, ...(stdout !== '' && { report: fixReportSchema.parse(JSON.parse(stdout)) }) }
}
