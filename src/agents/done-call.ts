/** What an agent did, in the order in which it began, as far as its own files tell. For recordings. */
export type DoneCall =
  | {
      readonly kind: 'command'
      readonly command: string
      /** Absolute path. */
      readonly cwd: string
      readonly exitCode: number
      /** Both streams, in order. */
      readonly output: string
      /** Whether nothing of the output was cut. */
      readonly isWhole: boolean
      /** It went on when the call was over. */
      readonly isBackground: boolean
      /** Number of the lasting shell in which it ran; absent for one in a shell of its own. */
      readonly shell?: number
    }
  | {
      readonly kind: 'edit'
      /** Absolute path. */
      readonly file: string
      /** What it held then; absent where nobody knows. */
      readonly content?: string
      /** It was removed. */
      readonly isGone?: true
    }
  | {
      readonly kind: 'read'
      /** Absolute path. */
      readonly file: string
      readonly output: string
    }
  | { readonly kind: 'report'; readonly isAccepted: boolean }
  /** A tool of an MCP server that was called. */
  | {
      readonly kind: 'mcp'
      /** By the name under which the agent knows the server. */
      readonly server: string
      readonly tool: string
      readonly input: Readonly<Record<string, unknown>>
      /** All text of the answer. */
      readonly output: string
      readonly isError: boolean
    }
  /** It served the agent alone: a search, a plan. */
  | { readonly kind: 'aside' }
  /** A command of which the agent does not tell how it ended, or what it printed. */
  | { readonly kind: 'untold'; readonly command: string }
  | { readonly kind: 'other'; readonly tool: string; readonly isOfHelper: boolean }
  /** A command that was not over when the agent was, or that had to be ended. */
  | { readonly kind: 'unfinished'; readonly command: string; readonly isEnded?: true }
  | { readonly kind: 'refused' }

/** What a program leaves of a session. */
export interface KeptSession {
  /** Lines of its event stream. */
  readonly stream: readonly string[]
  /** Lines of the file in which it keeps the session; none where there is no file. */
  readonly transcript: readonly string[]
}
