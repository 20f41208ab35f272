import { randomBytes } from 'node:crypto'
import type { AgentEvidence } from '../../verdict/verdict.ts'
import type { ScenarioRequest } from '../protocol/protocol.ts'
import { NotStarted, type AgentContext, type AgentRun } from './agent-task.ts'
import { Releases } from './lend-tools.ts'
import { logIn } from './log-in.ts'
import { prepareAgent, type Start } from './prepare-agent.ts'
import { WatchedRun } from './watched-run.ts'
import { orNothing } from '../../system/error-facts.ts'

/** Starts one agent on one scenario. Never rejects for anything that the agent does. */
export function startAgent(request: ScenarioRequest, context: AgentContext): Promise<AgentRun> {
  const start = async (asked: ScenarioRequest, login: Pick<Start, 'logIn' | 'storageStateOut'>): Promise<AgentRun> => {
    const identity = { runId: randomBytes(16).toString('hex'), startedAtMs: context.now().getTime() }
    const releases = new Releases()
    try {
      return new WatchedRun(await prepareAgent({ request: asked, context, ...identity, releases, ...login }))
    } catch (error: unknown) {
      // The first error says what is wrong. The end of the run removes what is left.
      orNothing(() => releases.releaseAll())
      if (error instanceof NotStarted) return notStarted(error, identity)
      throw error
    }
  }
  return start(request, {
    logIn: (login) =>
      logIn(login, {
        request,
        // A login serves all specs of the run.
        folder: context.processes.makeTempDir(),
        start: (login, storageStateOut) => start(login, { storageStateOut }),
      }),
  })
}

function notStarted({ agent, ending }: NotStarted, identity: Pick<Start, 'runId' | 'startedAtMs'>): AgentRun {
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
