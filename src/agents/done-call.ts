import type { CommandCall, EditCall, McpCall } from '../records/agent-call.ts'

/** A call that mdtest's executor or browser made for an agent. A recording consists of such calls, in their order. */
export type DoneCall =
  | (Omit<CommandCall, 'step' | 'isLook'> & { readonly isBackground: boolean })
  /** `content`: the text of the file after the edit. */
  | Omit<EditCall, 'step'>
  | { readonly kind: 'report'; readonly isAccepted: boolean }
  /** `server`: the name that the agent knows. `output`: all text of the answer. */
  | Omit<McpCall, 'step'>
  /** A command that was left running, or that did not end by itself (`isEnded`). */
  | { readonly kind: 'unfinished'; readonly command: string; readonly isEnded?: true }
  | { readonly kind: 'refused' }
