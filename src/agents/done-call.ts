/** A call that mdtest's executor or browser made for an agent. Recordings consist of these, in order of start. */
export type DoneCall =
  | {
      readonly kind: 'command'
      readonly command: string
      readonly cwd: string
      readonly exitCode: number
      readonly output: string
      readonly isBackground: boolean
    }
  /** `content`: the text of the file after the edit. */
  | { readonly kind: 'edit'; readonly file: string; readonly content: string }
  | { readonly kind: 'report'; readonly isAccepted: boolean }
  /** `server`: its name as the agent knows it. `output`: all text of the answer. */
  | {
      readonly kind: 'mcp'
      readonly server: string
      readonly tool: string
      readonly input: Readonly<Record<string, unknown>>
      readonly output: string
      readonly isError: boolean
    }
  /** A command that was still running when the agent ended, or that had to be killed. */
  | { readonly kind: 'unfinished'; readonly command: string; readonly isEnded?: true }
  | { readonly kind: 'refused' }
