import type { AgentInterface } from '../../agents/agent.ts'
import type { Command } from '../../system/process/command.ts'
import type { LauncherAddress } from '../../system/process/launcher/launcher.ts'
import type { AgentContext } from './agent-context.ts'
import type { AgentTerminal } from './agent-terminal.ts'
import type { Budgets } from './budget.ts'
import type { EvidenceOptions } from './evidence-collector.ts'

/** An agent that is ready to be started, with all that it is started with. */
export interface AgentTask extends EvidenceOptions {
  readonly launcher: LauncherAddress
  readonly command: Command
  readonly budgets: Budgets
  readonly context: AgentContext
  /** Absent for an agent that works without a terminal. */
  readonly screen: Screen | undefined
  /** Called once, when the agent and all it started are gone. */
  onEnd(): void
}

/** The terminal for an agent that has an interface. */
export interface Screen extends AgentTerminal {
  readonly interface: AgentInterface
  /** Absolute path of an empty folder for what its hooks say. */
  readonly notesFolder: string
}
