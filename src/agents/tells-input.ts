import type { ActivityKind } from './agent.ts'
import { ownTools } from './report-access.ts'

/** Whether the arguments of a tool are told with its call: it may repeat them. Those of mdtest's own are reports. */
export function tellsInput(kind: ActivityKind, tool: string): boolean {
  return (kind === 'browser' || kind === 'mcp' || kind === 'web') && !tool.startsWith(ownTools)
}
