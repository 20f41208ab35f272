export interface MintedValue {
  readonly name: string
  readonly token: string
  readonly source: string
  readonly isOnlyShown?: true
}

export interface CommandPiece {
  readonly kind: 'command'
  /** Without paths of the place where the agent worked. */
  readonly command: string
  /** Relative to the directory of the scenario; empty for itself. */
  readonly cwd: string
  readonly exitCode: number
  readonly output: string
  readonly quotes: readonly string[]
  readonly mints: readonly MintedValue[]
}

export interface FilePiece {
  readonly kind: 'file'
  readonly path: string
  /** Empty, or with a newline at its end. */
  readonly content: string
}

export interface ServicePiece {
  readonly kind: 'service'
  readonly command: string
  readonly cwd: string
  readonly wait?: string
}

export type Piece = CommandPiece | FilePiece | ServicePiece | BrowserPiece

export interface StepPieces {
  readonly step: string
  readonly pieces: readonly Piece[]
}

export interface Obstacle {
  readonly step: string
  /** `NOT_ELIGIBLE`: the quote was not printed in the step. `UNCLEAN`: it typed a secret. */
  readonly code: 'NEEDS_THE_MODEL' | 'NOT_ELIGIBLE' | 'UNCLEAN'
  readonly why: string
}

/** A line of the page that the agent quoted: what is expected between two actions. */
export interface Sight {
  readonly kind: 'sight'
  /** As the agent saw it, as `pageLines` has it. */
  readonly line: string
  /** Why it shows nothing: it was on the page before, or the step itself put it into a control. */
  readonly weakness?: string
}

export interface BrowserAction {
  readonly code: string
  readonly method: string
  readonly role?: string
  readonly name?: string
  /** What it puts into the control, but for secrets. */
  readonly values: readonly string[]
}

export type BrowserItem = Sight | ({ readonly kind: 'action' } & BrowserAction)

export interface BrowserPiece {
  readonly kind: 'browser'
  readonly items: readonly BrowserItem[]
}
