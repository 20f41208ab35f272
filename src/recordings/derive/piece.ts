export interface MintedValue {
  /** Name of the capture, and of the variable of later commands: `value1`. */
  readonly name: string
  readonly token: string
  readonly source: string
  /** No command uses it: it is only shown again. */
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
  readonly isLook: boolean
  readonly quotes: readonly string[]
  readonly mints: readonly MintedValue[]
}

/** A file that is there before the first command of a step. */
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
  /**
   * `NEEDS_THE_MODEL`: only an agent can do it. `NOT_ELIGIBLE`: what it quoted was not printed in the step. `UNCLEAN`: it
   * typed a secret.
   */
  readonly code: 'NEEDS_THE_MODEL' | 'NOT_ELIGIBLE' | 'UNCLEAN'
  readonly why: string
}

/** A line of the page that the agent quoted: what is expected between two actions. */
export interface Sight {
  readonly kind: 'sight'
  /** As the agent saw it, as `pageLines` has it. */
  readonly line: string
  /**
   * Why it does not show that the step worked, half a sentence: it was on the page before, or it is what the step itself
   * put into a control. Absent where it may show it.
   */
  readonly weakness?: string
}

/** A call of Playwright's that did something. */
export interface BrowserAction {
  readonly code: string
  readonly method: string
  /** Of the control, where that finds it. */
  readonly role?: string
  readonly name?: string
  /** What it puts into the control, but for secrets. */
  readonly values: readonly string[]
}

/** One line of a `ts browser` block, as it is to be repeated. */
export type BrowserItem = Sight | ({ readonly kind: 'action' } & BrowserAction)

export interface BrowserPiece {
  readonly kind: 'browser'
  readonly items: readonly BrowserItem[]
}
