import type { AgentEvidence } from '../verdict/verdict.ts'

/** Where workers reach the host: loopback only, and nobody gets in without the token. */
export interface HostAddress {
  readonly port: number
  readonly token: string
  /** Mark that every child process of the run carries in its environment. */
  readonly runMark: string
}

/** A step as the agent is told of it. */
export interface AskedStep {
  readonly id: string
  readonly title: string
  readonly checks: number
}

/** Limits and permissions of an agent, as options, front matter and command line settled them. */
export interface AgentSettings {
  readonly hardTimeoutMs: number
  readonly silenceTimeoutMs: number
  readonly allow: readonly string[]
  readonly network: boolean
  readonly dangerouslyAllowAllActions: boolean
  readonly logs: { readonly keep: number; readonly dir?: string | undefined }
}

/** One scenario that a worker wants carried out. */
export interface ScenarioRequest {
  /** Chosen by the worker, unique in its connection; names the request when it is canceled. */
  readonly requestId: string
  readonly specFile: string
  readonly specAgent: string
  readonly scenarioTitle?: string
  readonly root: string
  /** Working directory of the scenario. */
  readonly cwd: string
  readonly settings: AgentSettings
  /** Front matter `env`, for the agent as well as for the blocks. */
  readonly env: Readonly<Record<string, string>>
  readonly steps: readonly AskedStep[]
  /** Steps of the scenario that are not the agent's to do. */
  readonly otherSteps: readonly { readonly id: string; readonly title: string }[]
  readonly hasSetupProse: boolean
  readonly hasTeardownProse: boolean
}

/** What became of the agent, and where it is written down. */
export interface ScenarioReply {
  readonly evidence: AgentEvidence
  /** Absolute path of the result log; absent where no agent was started. */
  readonly logFile?: string
}

/** The root of a process tree, started detached, and the mark that only this tree carries. */
export interface LiveTree {
  readonly pid: number
  readonly mark: string
}

/** What a worker may ask of the host. */
export interface HostFunctions {
  carryOut(request: ScenarioRequest): Promise<ScenarioReply>
  cancel(requestId: string): void
  /** Makes an empty private directory for one scenario, gone with the run at the latest. Absolute, real path. */
  makeTempDir(): Promise<string>
  /** A process tree that the worker started; it is ended with the worker. */
  processStarted(tree: LiveTree): void
  processEnded(pid: number): void
}
