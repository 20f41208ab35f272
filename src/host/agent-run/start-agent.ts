import type { AgentEvidence } from '../../verdict/verdict.ts'
import type { ScenarioRequest } from '../protocol/protocol.ts'
import type { AgentContext } from './agent-context.ts'
import type { AgentRun } from './agent-run.ts'
import { startHeadlessRun } from './headless-run.ts'
import { prepareAgent, type Preparation, type Unstartable } from './prepare-agent.ts'
import { runLogin } from './run-login.ts'
import { TerminalRun } from './terminal-run.ts'
import { WatchedRun } from './watched-run.ts'

/** Has one agent carry out one scenario, to whatever end. Never rejects for anything the agent does. */
export async function startAgent(request: ScenarioRequest, context: AgentContext): Promise<AgentRun> {
  const startLogin = async (login: ScenarioRequest, storageStateOut: string): Promise<AgentRun> =>
    start(await prepareAgent(login, context, { storageStateOut }))
  const logIn = (file: string): Promise<string> =>
    runLogin(file, { request, folder: context.processes.makeTempDir(), start: startLogin })
  return start(await prepareAgent(request, context, { logIn }))
}

function start(preparation: Preparation): AgentRun {
  if (!preparation.ok) return notStarted(preparation)
  const { task } = preparation
  const { screen } = task
  return new WatchedRun(task, screen ? (program) => new TerminalRun(program, screen) : startHeadlessRun)
}

/** In place of the run of an agent that is not there, or may not be started. */
function notStarted({ name, ending, runId, startedAtMs }: Unstartable): AgentRun {
  const evidence: AgentEvidence = {
    name,
    ending,
    errors: [],
    denials: [],
    reading: { ok: false, code: 'LOG_MISSING', message: 'No agent was started.' },
    modifiedSpecFiles: [],
    tail: '',
    runId,
    startedAtMs,
  }
  return {
    ended: Promise.resolve(),
    awaitStep: async () => ({ kind: 'ended', evidence }),
    direct() {},
    async finish() {},
  }
}
