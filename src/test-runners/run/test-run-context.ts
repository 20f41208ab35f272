import type { LiveTrees } from '../../system/process/launcher/live-trees.ts'
import type { Redactor } from '../../system/redaction/redact.ts'
import type { RunnerCommand } from '../runner.ts'

/** Where tests are run. */
export interface TestRunContext {
  /** Absolute, real path of the repository: the working directory. */
  readonly root: string
  /** Starts programs, and ends them should we die. */
  readonly trees: LiveTrees
  /** What everything of this process carries in `MDTEST_MARKS`. */
  readonly runMark: string
  /** Environment of the tests, before `CI` and the like are set. */
  readonly env: Readonly<Record<string, string>>
  /** Takes secrets out of what is written and returned. */
  readonly redactor: Redactor
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
