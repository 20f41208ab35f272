import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentEvent, AgentRequest, CliAgent } from '../../src/agents/agent.ts'
import { buildPrompt } from '../../src/agents/prompt.ts'
import { createIsolatedHome } from '../support/isolated-home.ts'
import { startModelServer } from '../support/model-server.ts'
import type { ModelScript, ModelServer } from '../support/model-server.ts'
import { spawnCommand } from '../support/spawn-command.ts'
import type { SpawnedEnd } from '../support/spawn-command.ts'
import { realCliPath } from './find-real-clis.ts'

export interface RealRun extends SpawnedEnd {
  readonly events: readonly AgentEvent[]
  /** Text of the result log, or `undefined` where none was written. */
  readonly log: string | undefined
  readonly conversations: ModelServer['conversations']
  /** Real path of the folder that held home and project. */
  readonly root: string
}

/** A spec, a program and a model to run a real CLI on. */
export interface RealRunSetup {
  readonly cliFolder: string
  readonly script: ModelScript
  /** Files of the project by relative path; the spec is `notes.test.md`. */
  readonly files?: Readonly<Record<string, string>>
  readonly steps?: Parameters<typeof buildPrompt>[0]['steps']
  /** In place of the prompt that is made for `steps`. */
  readonly prompt?: string
  readonly codexModel?: string
  /** Name of the project's folder. */
  readonly workName?: string
  /** Puts the log outside the directory the agent works in. */
  readonly isLogOutside?: boolean
  readonly request?: Partial<AgentRequest>
  /** Variables taken out of the environment. */
  readonly without?: readonly string[]
}

/** Starts the real CLI of `agent` in a home of its own against a scripted model and reads what it did. */
export async function runRealAgent(agent: CliAgent, setup: RealRunSetup): Promise<RealRun> {
  await using server = await startModelServer(setup.script)
  const path = realCliPath(setup.cliFolder)
  const { codexModel, workName } = setup
  using home = createIsolatedHome({
    modelUrl: server.url,
    path,
    ...(codexModel !== undefined && { codexModel }),
    ...(workName !== undefined && { workName }),
  })
  for (const [name, content] of Object.entries(setup.files ?? {})) {
    mkdirSync(dirname(join(home.work, name)), { recursive: true })
    writeFileSync(join(home.work, name), content)
  }
  const specFile = join(home.work, 'notes.test.md')
  const logFile = join(setup.isLogOutside === true ? home.root : home.work, 'notes.logs', 'run.log.md')
  mkdirSync(dirname(logFile))
  const alone = { includedFiles: [], otherSteps: [], hasSetupProse: false, hasTeardownProse: false }
  const prompt = setup.prompt ?? buildPrompt({ specFile, logFile, runId: 'run-1', steps: setup.steps ?? [], ...alone })
  const end = await spawnCommand(
    agent.buildCommand({
      prompt,
      specFile,
      logFile,
      cwd: home.work,
      env: without(home.env, setup.without),
      allow: [],
      network: false,
      dangerouslyAllowAllActions: false,
      ...setup.request,
    }),
  )
  return {
    ...end,
    events: end.stdout.split('\n').flatMap((line) => agent.readEvents(line)),
    log: existsSync(logFile) ? readFileSync(logFile, 'utf8') : undefined,
    conversations: server.conversations,
    root: home.root,
  }
}

function without(env: Readonly<Record<string, string>>, names: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)))
}
