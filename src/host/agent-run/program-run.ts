import type { AgentEvent } from '../../agents/agent.ts'
import type { Recording } from '../../records/verdict/verdict-record.ts'
import type { RunningCommand, RunOptions } from '../../system/process/run-command.ts'
import type { AgentLimits } from './agent-limits.ts'
import type { AgentTask } from './agent-task.ts'

/** An agent's program at work: without a terminal, or in its own interface. */
export interface ProgramRun {
  readonly running: RunningCommand
  /** All that the agent does is in its stream; a session in a terminal is kept in several files. */
  readonly isStreamWhole: boolean
  /** Whether the agent was seen to have written a whole result log, in an interface that tells nothing. */
  readonly isLogComplete: boolean
  /** Its last report is answered. */
  directed(): void
  /** After all that it started is gone: nobody else puts anything in its place. */
  keepRecording(): Promise<Recording | undefined>
  /** Lets go of what is shown. */
  close(): void
}

/** What an agent's program is started with. */
export interface ProgramTask {
  readonly task: AgentTask
  readonly options: ProgramOptions
  readonly limits: AgentLimits
  /** To be told of all that the agent does. */
  onEvent(event: AgentEvent): void
}

type ProgramOptions = Omit<RunOptions, LogOption | 'onLine'> & {
  readonly [name in LogOption]-?: NonNullable<RunOptions[name]>
}
type LogOption = 'rawLogFile' | 'rawLogGround' | 'redactor'
