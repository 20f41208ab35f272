/** A command that an agent asks mdtest to execute. */
export interface ExecutorCommand {
  readonly code: string
  /** In milliseconds. */
  readonly timeoutMs: number
  /** Absolute path of the folder for files of the agent's own. */
  readonly scratchDir: string
}

/** How it ended. */
export interface ExecutorResult {
  /** `undefined` where it did not end by itself; `problem` says why then. */
  readonly exitCode: number | undefined
  readonly problem?: string
  /** Whether nothing of it was executed. Default: it was begun. */
  readonly isUntried?: true
  /** Both streams, in the order they were written, as of `textOfBytes`. */
  readonly output: string
  readonly durationMs: number
  /** Absolute path of the directory in which the shell is now. */
  readonly directory: string
  /** Number of the shell in which it ran: another one where blocks ran since the command before, or where that one was ended. */
  readonly shell: number
}

/** What a worker does for an agent whose commands mdtest executes, in a shell beside that of the blocks. */
export interface AgentExecutor {
  /** Executes a command; one at a time. */
  runForAgent(command: ExecutorCommand): Promise<ExecutorResult>
  /** What the command that runs has written so far. */
  outputForAgent(): Promise<string>
  /** Ends the command that runs. */
  stopForAgent(): Promise<void>
  /** Stops all that the commands left running. Gives the command lines of that. */
  holdForAgent(): Promise<readonly string[]>
  /** Lets it go on. */
  releaseForAgent(): Promise<void>
  /** Ends the shell with all that its commands left running. */
  endForAgent(): Promise<void>
}
