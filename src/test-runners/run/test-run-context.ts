import type { RunnerCommand } from '../runner.ts'
import type { ProgramContext } from '../../system/process/program-context.ts'

/** Where tests are run. */
export interface TestRunContext extends ProgramContext {
  /** Absolute, real path of the repository: the working directory. */
  readonly root: string
  readonly now: () => Date
  /** How many of the newest reports stay in their folder, from 1. */
  readonly keepReports: number
  /** Ends the run; its report is still written. */
  readonly signal?: AbortSignal | undefined
  /** Called for each line of output. */
  readonly onLine?: ((line: string) => void) | undefined
  /** Makes another command of the runner's, for example one of a container. */
  readonly wrap?: ((command: RunnerCommand, resultsDir: string) => RunnerCommand) | undefined
}
