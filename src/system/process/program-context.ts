import type { Redactor } from '../redaction/redact.ts'
import type { LiveTrees } from './launcher/live-trees.ts'

/** What whoever starts programs in a project needs. */
export interface ProgramContext {
  /** Starts programs, and ends them should we die. */
  readonly trees: LiveTrees
  /** What everything of this process carries in `MDTEST_MARKS`. */
  readonly runMark: string
  /** Environment of the programs. */
  readonly env: Readonly<Record<string, string>>
  /** Takes secrets out of what is written and returned. */
  readonly redactor: Redactor
}
