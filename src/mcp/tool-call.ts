import type { LauncherAddress } from '../system/process/launcher/launcher.ts'
import type { LiveTree } from '../system/process/launcher/live-trees.ts'

/** A part of what a tool gave. Data are in base64. */
export type ToolPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }

export interface ToolOutput {
  readonly text: string
  readonly parts: readonly ToolPart[]
  readonly isError: boolean
}

export type ToolAnswer =
  | ({ readonly kind: 'answer' } & ToolOutput)
  | { readonly kind: 'timeout' }
  | { readonly kind: 'lost'; readonly message: string }

export interface ServerTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema: Readonly<Record<string, unknown>>
}

export interface ToolCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Where the programs of servers are started. */
export interface ProgramPlace {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly launcher: LauncherAddress
  readonly runMark: string
  /** `startTime`: as `readStartTime` gives it. */
  onStart(tree: LiveTree & { readonly startTime: string | undefined }): void
  onEnd(pid: number): void
}
