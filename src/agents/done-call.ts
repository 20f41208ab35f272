/** What mdtest's executor or the browser did for an agent, in the order in which it began. Recordings are made of it. */
export type DoneCall =
  | {
      readonly kind: 'command'
      readonly command: string
      readonly cwd: string
      readonly exitCode: number
      /** Both streams, in order. */
      readonly output: string
      /** It went on when the call was over. */
      readonly isBackground: boolean
    }
  | {
      readonly kind: 'edit'
      readonly file: string
      /** What it held then. */
      readonly content: string
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
  /** A command that was not over when the agent was, or that had to be ended. */
  | { readonly kind: 'unfinished'; readonly command: string; readonly isEnded?: true }
  | { readonly kind: 'refused' }
