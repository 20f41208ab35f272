import { randomBytes } from 'node:crypto'
import type { AgentEvidence } from '../../verdict/verdict.ts'
import type { ScenarioRequest } from '../protocol/protocol.ts'
import type { AgentContext, AgentRun, AgentTask, ProgramRun, ProgramTask } from './agent-task.ts'
import { NotStarted, prepareAgent, type LoginPart, type RunIdentity } from './prepare-agent.ts'
import { orRelease } from './releases.ts'
import { runLogin } from './run-login.ts'
import { TerminalRun } from './terminal-run.ts'
import { WatchedRun } from './watched-run.ts'
import { startCommand } from '../../system/process/run-command.ts'
import { removeTemporary } from '../../system/files/write-file.ts'

/** Starts one agent on one scenario. Never rejects for anything that the agent does. */
export async function startAgent(request: ScenarioRequest, context: AgentContext): Promise<AgentRun> {
  const startWith = async (asked: ScenarioRequest, login: LoginPart): Promise<AgentRun> => {
    const identity = { runId: randomBytes(16).toString('hex'), startedAtMs: context.now().getTime() }
    try {
      return await orRelease(async (releases) =>
        start(await prepareAgent(asked, { ...context, ...login, ...identity, releases })),
      )
    } catch (error: unknown) {
      if (error instanceof NotStarted) return notStarted(error, identity)
      throw error
    }
  }
  const startLogin = (login: ScenarioRequest, storageStateOut: string): Promise<AgentRun> =>
    startWith(login, { storageStateOut })
  const logIn = (file: string): Promise<string> =>
    orRelease((releases) => {
      // A successful login serves all specs of the run.
      const folder = context.processes.makeTempDir()
      releases.add(() => removeTemporary(folder))
      return runLogin(file, { request, folder, start: startLogin })
    })
  return startWith(request, { logIn })
}

function start(task: AgentTask): AgentRun {
  const { screen } = task
  return new WatchedRun(task, screen ? (program) => new TerminalRun(program, screen) : startHeadlessRun)
}

/** Stands for the run of an agent that does not exist or may not be started. */
function notStarted({ agent, ending }: NotStarted, identity: RunIdentity): AgentRun {
  const evidence: AgentEvidence = {
    name: agent,
    ending,
    errors: [],
    denials: [],
    reading: { ok: false, code: 'LOG_MISSING', message: 'No agent was started.' },
    modifiedSpecFiles: [],
    tail: '',
    ...identity,
  }
  return {
    ended: Promise.resolve(),
    awaitStep: async () => ({ kind: 'ended', evidence }),
    direct() {},
    async finish() {},
  }
}

/** Starts an agent without a terminal. Its output tells what it does. */
function startHeadlessRun({ task, options, onEvent, onLine }: ProgramTask): ProgramRun {
  const { agent, command } = task
  const running = startCommand(command, {
    ...options,
    onLine: (stream, line) => {
      if (stream === 'stdout') onLine(line)
      const events = stream === 'stdout' ? agent.readEvents(line) : agent.readDiagnostics?.(line)
      for (const event of events ?? []) onEvent(event)
    },
  })
  return {
    running,
    isLogComplete: false,
    directed() {},
  }
}
