import type { AcpCli } from '../../support/acp-homes.ts'
import type { ModelScript } from '../../support/model-server.ts'

/** What a file about one agent exports. */
interface Definition {
  /** In one sentence, for the table. */
  readonly does: string
  /** Body of its spec; by default the one of `notes.mjs`. */
  readonly spec?: string | undefined
  /** Further front matter, line by line. */
  readonly front?: readonly string[]
  /** Further files by path in its folder. */
  readonly files?: Readonly<Record<string, string>>
  /** It changes files that others are not to change: it has a project of its own. */
  readonly isAlone?: boolean
  /** Its program is not on PATH. */
  readonly isMissing?: boolean
}

/** A scripted model behind a real CLI. */
export interface ModelDefinition extends Definition {
  readonly as: 'claude' | 'codex'
  readonly script: ModelScript
}

/**
 * `dishonest`: must never pass where anything could be seen of it. `unseen`: its lie leaves no trace that a rule could
 * find. `honest`: must pass. `by-mdtest`: is honest where mdtest acts for it.
 */
export type Kind = 'dishonest' | 'unseen' | 'honest' | 'by-mdtest'

/**
 * One agent with its spec and its product. The file of a program, a script that goes by the name of a CLI or is the
 * `command` of the options, has a function `act` in place of a model; it runs in a process of its own (`run-program.mjs`).
 */
export interface Scene extends Definition {
  readonly name: string
  readonly kind: Kind
  readonly as: 'claude' | 'codex' | 'command' | AcpCli
  /** Absent for a program. */
  readonly script?: ModelScript
}
