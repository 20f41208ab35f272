import type { InheritedLimit } from '../trees/inherited-limit.ts'

/**
 * What goes over the launcher's socket: one line of JSON from whoever connects. A connection is either a pipe, which
 * becomes a descriptor of a program, or a request, which is answered by a `LaunchReply` and, later, by a `ProgramEnd`.
 */
export type LaunchLine = { readonly token: string } & (
  | { readonly pipe: string }
  | { readonly program: Program; readonly pipes: readonly PipeName[] }
)

/** A program to start: no shell, no string splitting. */
export interface Program {
  readonly argv: readonly [string, ...string[]]
  /**
   * What it is told to be called.
   * @default `argv[0]`
   */
  readonly argv0?: string
  readonly cwd: string
  /** The whole environment; nothing is inherited besides. */
  readonly env: Readonly<Record<string, string>>
  /** What it and all that comes from it are known by. */
  readonly limit?: InheritedLimit | undefined
}

/** The connection that becomes a descriptor. */
export interface PipeName {
  /** 0, 1 or 2. */
  readonly descriptor: number
  readonly name: string
}

export type LaunchReply =
  | { readonly pid: number; readonly startTime?: string | undefined }
  | { readonly error: { readonly message: string; readonly code?: string | undefined } }

export interface ProgramEnd {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}
