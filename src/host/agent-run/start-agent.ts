import { randomBytes } from 'node:crypto'
import type { AgentEvidence } from '../../verdict/verdict.ts'
import type { ScenarioRequest, Screenshot } from '../protocol/protocol.ts'
import { NotStarted, Releases, type AgentContext, type AgentRun } from './agent-task.ts'
import { logIn } from './run-login.ts'
import { prepareAgent, type Start } from './prepare-agent.ts'
import { WatchedRun } from './watched-run.ts'
import { orNothing } from '../../system/error-facts.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'

/** Starts an agent on a scenario. If the agent cannot start, the returned run has already ended. */
export function startAgent(request: ScenarioRequest, context: AgentContext): Promise<AgentRun> {
  const start = async (asked: ScenarioRequest, login: Pick<Start, 'logIn' | 'storageStateOut'>): Promise<AgentRun> => {
    const identity = { runId: randomBytes(16).toString('hex'), startedAtMs: context.now().getTime() }
    const releases = new Releases()
    try {
      return new WatchedRun(await prepareAgent({ request: asked, context, ...identity, releases, ...login }))
    } catch (error: unknown) {
      // Ignore errors of the cleanup: the first error matters more, and the end of the run cleans up what is left.
      orNothing(() => releases.releaseAll())
      if (error instanceof NotStarted) return notStarted(error, { ...identity, step: asked.steps[0]?.id })
      throw error
    }
  }
  return start(request, {
    logIn: (login) =>
      logIn(login, {
        request,
        // Keep the folder until the end of the run, because all specs of the run share the login.
        folder: context.processes.makeTempDir(),
        start: (login, storageStateOut) => start(login, { storageStateOut }),
      }),
  })
}

function notStarted(
  { agent, ending, login }: NotStarted,
  { step, ...identity }: Pick<Start, 'runId' | 'startedAtMs'> & { readonly step: string | undefined },
): AgentRun {
  const { screenshot, ...files } = login ?? {}
  const images = screenshot === undefined ? [] : [withoutUndefined<Screenshot>({ file: screenshot, step })]
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
    ...files,
    ended: Promise.resolve(),
    awaitStep: async () => ({ kind: 'ended', evidence, images }),
    direct() {},
    async finish() {},
  }
}
