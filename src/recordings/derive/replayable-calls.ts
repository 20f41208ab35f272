import type { AgentCall, McpCall } from '../../records/agent-call.ts'
import type { McpServers } from '../../spec/front-matter/mcp-servers.ts'

interface Replayable {
  readonly servers: McpServers
  /** Absolute path of where the agent worked. */
  readonly directory: string
}

/** What an agent did, with calls of tools that may be called again as commands. */
export function withReplayableCalls(calls: readonly AgentCall[], context: Replayable): readonly AgentCall[] {
  return calls.map((call) => (call.kind === 'mcp' ? (asCommand(call, context) ?? call) : call))
}

function asCommand(call: McpCall, { servers, directory }: Replayable): AgentCall | undefined {
  const { step, tool, input, output, isError } = call
  // Some agents write other characters in a name.
  const found = Object.entries(servers).find(([name]) => plain(name) === plain(call.server))
  if (found?.[1].replayable?.includes(tool) !== true) return undefined
  const json = JSON.stringify(input)
  return {
    kind: 'command',
    step,
    command: json === '{}' ? tool : `${tool} ${json}`,
    cwd: directory,
    exitCode: isError ? 1 : 0,
    output: output.endsWith('\n') || output === '' ? output : `${output}\n`,
    isLook: false,
    server: found[0],
    ...('url' in found[1] && { isElsewhere: true as const }),
  }
}

function plain(name: string): string {
  return name.replaceAll('-', '_')
}
