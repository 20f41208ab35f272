import type { AgentEvent } from '../agent.ts'

/** Events in one line of codex's standard error. Without a required MCP server it ends before its stream begins. */
export function readCodexDiagnostics(line: string): readonly AgentEvent[] {
  const message = /^Error: .*?(required MCP servers failed to initialize: .{1,200})/.exec(line)?.[1]
  return message === undefined ? [] : [{ type: 'error', cause: 'mcp', message: `${message}.` }]
}
