import type { Answer } from './step-reports.ts'

/** Neither CLI asks a user before it calls a tool that says this of itself. */
export const annotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }

/** Claude Code hides tools of MCP servers behind a search tool otherwise. */
export const alwaysOffered = { 'anthropic/alwaysLoad': true }

export function resultOf({ text, isError }: Answer): { content: { type: 'text'; text: string }[]; isError?: true } {
  return { content: [{ type: 'text', text }], ...(isError && { isError }) }
}
