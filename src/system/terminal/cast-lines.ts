import type { TerminalSize } from './terminal.ts'

/** What a recording says of itself. */
export interface CastHeader {
  readonly size: TerminalSize
  /** Milliseconds since 1970. */
  readonly startedAtMs: number
  readonly title: string
  /** Value of `TERM`; no other variable is told. */
  readonly terminalName: string
}

/** Something that happens in a recording. What was typed is no such thing: it may be a password. */
export type CastEvent =
  | { readonly kind: 'output'; readonly text: string }
  | { readonly kind: 'resize'; readonly size: TerminalSize }
  | { readonly kind: 'marker'; readonly label: string }

/** The first line of an asciicast, version 2: https://docs.asciinema.org/manual/asciicast/v2/ */
export function formatCastHeader({ size, startedAtMs, title, terminalName }: CastHeader): string {
  const timestamp = Math.floor(startedAtMs / 1000)
  return `${JSON.stringify({ version: 2, width: size.cols, height: size.rows, timestamp, title, env: { TERM: terminalName } })}\n`
}

/** One more line, with the time since the start. */
export function formatCastEvent(event: CastEvent, elapsedMs: number): string {
  const seconds = Math.round(elapsedMs * 1000) / 1_000_000
  return `${JSON.stringify([seconds, ...codeAndData(event)])}\n`
}

function codeAndData(event: CastEvent): readonly [code: string, data: string] {
  switch (event.kind) {
    case 'output':
      return ['o', event.text]
    case 'resize':
      return ['r', `${event.size.cols}x${event.size.rows}`]
    case 'marker':
      return ['m', event.label]
    default:
      return event satisfies never
  }
}
