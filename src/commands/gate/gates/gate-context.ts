import type { LiveTrees } from '../../../system/process/launcher/live-trees.ts'
import type { Ground } from '../../../system/files/ground.ts'
import type { Redactor } from '../../../system/redaction/redact.ts'

/** Where gates are run. */
export interface GateContext {
  /** Absolute, real path of the project: the working directory. */
  readonly root: string
  /** Starts programs, and ends them should we die. */
  readonly trees: LiveTrees
  /** What everything of this process carries in `MDTEST_MARKS`. */
  readonly runMark: string
  /** Environment of commands and agents. */
  readonly env: Readonly<Record<string, string>>
  /** Takes secrets out of what is written and returned. */
  readonly redactor: Redactor
  /** Absolute path of a folder for what commands print. */
  readonly folder: string
  /** The project: below it no link on the way to that folder is followed. */
  readonly ground: Ground
  /** Called with a line about what is being done. */
  readonly onProgress: (line: string) => void
  readonly signal: AbortSignal
}
