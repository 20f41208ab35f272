import type { CommandCall, ServiceCall } from '../../records/agent-call.ts'

export interface MintedValue {
  readonly name: string
  readonly token: string
  readonly source: string
  readonly isOnlyShown?: true
}

/** `command` has no paths of the agent's folder. `cwd` is relative to the scenario's directory, or empty. */
export interface CommandPiece extends Omit<CommandCall, 'step' | 'isLook'> {
  readonly quotes: readonly string[]
  readonly mints: readonly MintedValue[]
}

export interface FilePiece {
  readonly kind: 'file'
  readonly path: string
  /** Empty, or ends with a newline. */
  readonly content: string
}

export interface ServicePiece extends Omit<ServiceCall, 'step'> {
  readonly wait?: string
}

export type Piece = CommandPiece | FilePiece | ServicePiece | BrowserPiece

export interface StepPieces {
  readonly step: string
  readonly pieces: readonly Piece[]
}

export interface Obstacle {
  readonly step: string
  /** `NOT_ELIGIBLE`: no output of the step contains the quote. `UNCLEAN`: the agent typed a secret. */
  readonly code: 'NEEDS_THE_MODEL' | 'NOT_ELIGIBLE' | 'UNCLEAN'
  readonly why: string
}

/** A page line that the agent quoted. In a replay, the page must show the line between the same two actions. */
export interface Sight {
  readonly kind: 'sight'
  /** The line as the agent saw it, in the format of `pageLines`. */
  readonly line: string
  /** Why the line is no evidence: it was on the page before, or the step itself entered it. */
  readonly weakness?: string
}

export interface BrowserAction {
  readonly code: string
  readonly method: string
  readonly role?: string
  readonly name?: string
  /** Texts that the action enters into the control, without secrets. */
  readonly values: readonly string[]
}

export type BrowserItem = Sight | ({ readonly kind: 'action' } & BrowserAction)

export interface BrowserPiece {
  readonly kind: 'browser'
  readonly items: readonly BrowserItem[]
}
