import type { AgentEnding, AgentEvidence } from '../../verdict/verdict.ts'
import type { AgentRun } from './agent-run.ts'

/** In place of the run of an agent that is not there, or may not be started. */
export function notStarted(
  name: string,
  { ending, ...times }: Pick<AgentEvidence, 'runId' | 'startedAtMs'> & { readonly ending: AgentEnding },
): AgentRun {
  const evidence: AgentEvidence = {
    name,
    ending,
    errors: [],
    denials: [],
    reading: { ok: false, code: 'LOG_MISSING', message: 'No agent was started.' },
    modifiedSpecFiles: [],
    tail: '',
    ...times,
  }
  return {
    ended: Promise.resolve(),
    awaitStep: async () => ({ kind: 'ended', evidence }),
    direct() {},
    async finish() {},
  }
}
