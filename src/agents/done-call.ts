/** What mdtest's executor or the browser did for an agent, in the order in which it began. Recordings are made of it. */
export type DoneCall =
  | {
      readonly kind: 'command'
      readonly command: string
      readonly cwd: string
      readonly exitCode: number
      readonly output: string
      readonly isBackground: boolean
    }
  /** `content`: what the file held then. */
  | { readonly kind: 'edit'; readonly file: string; readonly content: string }
  | { readonly kind: 'report'; readonly isAccepted: boolean }
  /** A tool of an MCP server, by the name under which the agent knows the server. `output`: all text of the answer. */
  | {
      readonly kind: 'mcp'
      readonly server: string
      readonly tool: string
      readonly input: Readonly<Record<string, unknown>>
      readonly output: string
      readonly isError: boolean
    }
  /** A command that was not over when the agent was, or that had to be ended. */
  | { readonly kind: 'unfinished'; readonly command: string; readonly isEnded?: true }
  | { readonly kind: 'refused' }
