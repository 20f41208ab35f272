import type { AgentEvidence } from '../verdict/verdict.ts'
import type { AgentRun } from './agent-run.ts'

/** In place of the run of an agent that is not there. */
export function agentNotFound(
  name: string,
  { message, ...times }: Pick<AgentEvidence, 'runId' | 'startedAtMs'> & { readonly message: string },
): AgentRun {
  const evidence: AgentEvidence = {
    name,
    ending: { kind: 'not-found', message },
    errors: [],
    denials: [],
    reading: { ok: false, code: 'LOG_MISSING', message: 'No agent was started.' },
    modifiedSpecFiles: [],
    tail: '',
    ...times,
  }
  return {
    awaitStep: async () => ({ kind: 'ended', evidence }),
    direct() {},
    async finish() {},
  }
}
