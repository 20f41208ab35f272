import type { AgentContext } from '../../src/host/agent-run/agent-task.ts'
import type { ScenarioRequest } from '../../src/host/protocol/protocol.ts'

/** What a worker asks for a scenario of one step in `a.test.md`, with limits that nothing reaches. */
export function scenarioRequest(root: string, more: Partial<ScenarioRequest> = {}): ScenarioRequest {
  return {
    requestId: '1',
    specFile: `${root}/a.test.md`,
    includedFiles: [],
    specAgent: 'claude',
    title: 'A',
    attempt: 1,
    root,
    cwd: root,
    settings: {
      hardTimeoutMs: 120_000,
      silenceTimeoutMs: 120_000,
      allow: [],
      network: false,
      executor: 'agent',
      sandbox: 'auto',
      blockTimeoutMs: 60_000,
      dangerouslyAllowAllActions: false,
      secrets: [],
      browser: { maxModelSteps: 50, isHeaded: false },
      mcpServers: {},
      logs: { keep: 10 },
      policy: {},
      repeats: { runs: 1, required: 1 },
      afterFailure: 'stop',
      allowSideEffects: false,
      agentPrograms: {},
      replay: 'auto',
      recordings: false,
      reproduce: false,
    },
    env: {},
    writes: [],
    needsBrowser: false,
    steps: [{ id: '1-a', title: 'A', checks: 0, checkLines: [] }],
    otherSteps: [],
    hasSetupProse: false,
    hasTeardownProse: false,
    ...more,
  }
}

/** No agent here has mdtest act. */
export const unusedExecutor: AgentContext['executor'] = {
  runForAgent: () => Promise.reject(new Error('nothing is to be run')),
  outputForAgent: async () => '',
  async stopForAgent() {},
  holdForAgent: async () => [],
  async releaseForAgent() {},
  async endForAgent() {},
}
