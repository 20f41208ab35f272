/** The family an error belongs to, then what exactly is wrong, for example `OPTION_INVALID`. */
export type MdtestErrorCode =
  | `SPEC_${string}`
  | `OPTION_${string}`
  | `AGENT_${string}`
  | `LOG_${string}`
  | `EXEC_${string}`
  | `HOST_${string}`
  | `CLI_${string}`

/**
 * Wrong use, wrong configuration or a bug, with a stable `code`. An expected bad end (a failed step, a
 * timeout) is never thrown: it is a value.
 */
export class MdtestError extends Error {
  override readonly name = 'MdtestError'
  /** Stable across releases; test against this, not against the message. */
  readonly code: MdtestErrorCode
  /** What to do about it, one sentence. */
  declare readonly hint?: string

  constructor(
    code: MdtestErrorCode,
    message: string,
    { hint, cause }: { readonly hint?: string; readonly cause?: unknown } = {},
  ) {
    super(hint === undefined ? message : `${message} ${hint}`, cause === undefined ? undefined : { cause })
    this.code = code
    if (hint !== undefined) this.hint = hint
  }
}
