/** The first word names the area, for example `EXEC`. The rest names the problem, for example `NOT_FOUND`. */
export type MdtestErrorCode =
  | 'AGENT_BROWSER_MISSING'
  | 'AGENT_BROWSER_UNAVAILABLE'
  | 'AGENT_BUDGET'
  | 'AGENT_KEY_MISSING'
  | 'AGENT_LIMITED'
  | 'LOGIN_FAILED'
  | 'AGENT_MCP_UNAVAILABLE'
  | 'AGENT_NOT_FOUND'
  | 'AGENT_PEER_MISSING'
  | 'EXEC_BAD_CWD'
  | 'EXEC_BLOCK_OVER'
  | 'EXEC_BUSY'
  | 'EXEC_COMMAND_FAILED'
  | 'EXEC_COMMAND_VALUE'
  | 'EXEC_GIT_FAILED'
  | 'EXEC_INVALID_ARGUMENT'
  | 'EXEC_LAUNCHER_ENDED'
  | 'EXEC_LAUNCHER_FAILED'
  | 'EXEC_NOT_EXECUTABLE'
  | 'EXEC_NOT_FOUND'
  | 'EXEC_NO_RESOURCES'
  | 'EXEC_PTY_FAILED'
  | 'EXEC_PTY_MISSING'
  | 'EXEC_RESTORE_FAILED'
  | 'EXEC_SPAWN_FAILED'
  | 'EXEC_TEMP_UNWRITABLE'
  | 'EXEC_TOO_LONG'
  | 'HOST_CANCELED'
  | 'HOST_COPY_FAILED'
  | 'HOST_COPY_TARGET'
  | 'HOST_ENDED'
  | 'HOST_GIT_FAILED'
  | 'HOST_NOT_ENTERED'
  | 'HOST_REQUEST_FAILED'
  | 'HOST_REQUEST_UNKNOWN'
  | 'HOST_TIMEOUT'
  | 'LOG_FOLDER_UNWRITABLE'
  | 'LOG_UNREADABLE'
  | 'LOG_UNWRITABLE'
  | 'OPTION_CONFIG_INVALID'
  | 'OPTION_CONFIG_MISSING'
  | 'OPTION_EVIDENCE'
  | 'OPTION_FEATURES'
  | 'OPTION_HOOK'
  | 'OPTION_INVALID'
  | 'OPTION_PATH'
  | 'OPTION_SESSION'
  | 'OPTION_TARGET'
  | 'SPEC_CWD'
  | 'SPEC_INTERNAL'
  | 'SPEC_MODIFIED'
  | 'SPEC_STALE'
  | 'SPEC_STUCK'
  | 'SPEC_UNREADABLE'

/** Thrown for wrong use, wrong configuration or a bug. An expected failure is never thrown but returned as a value. */
export class MdtestError extends Error {
  override readonly name = 'MdtestError'
  /** Stays the same across releases. Compare this code, not the message. */
  readonly code: MdtestErrorCode
  /** What the user can do, in one sentence. */
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
