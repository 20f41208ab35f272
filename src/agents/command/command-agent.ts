import type { AgentRequest, CliAgent } from '../agent.ts'
import { prepareWithServers } from '../browser/equip-with-browser.ts'

/**
 * An agent that is any program: `{prompt}`, `{spec}`, `{log}` and `{root}` are replaced wherever they stand in its
 * arguments, and `{mcp}` where it has to act by mdtest's tools.
 * It has no event stream, so nothing is known of what it did, unless it has to act by mdtest's tools.
 */
export function createCommandAgent(command: readonly [string, ...string[]]): CliAgent {
  const [program, ...args] = command
  return {
    name: 'command',
    bin: program,
    ownWords: args,
    reports: 'none',
    reportsToExecutor: 'file',
    confinement: 'trust',
    prepare: prepareWithServers,
    buildCommand: (request) => ({
      argv: [program, ...args.map((argument) => fill(argument, request))],
      cwd: request.cwd,
      env: { ...request.env, ...(request.reports && { [configVariable]: request.reports.configFile }) },
    }),
    readEvents: () => [],
  }
}

/** Names the file with mdtest's MCP server. */
const configVariable = 'MDTEST_MCP_CONFIG'

/** One pass over the argument: a `{log}` that came in with the prompt stays as it is. */
function fill(argument: string, { prompt, specFile, logFile, root = '', reports }: AgentRequest): string {
  const values: Readonly<Record<string, string>> = {
    '{prompt}': prompt,
    '{spec}': specFile,
    '{log}': logFile,
    '{root}': root,
    '{mcp}': reports?.configFile ?? '{mcp}',
  }
  return argument.replace(/\{(?:prompt|spec|log|root|mcp)\}/g, (placeholder) => values[placeholder] ?? placeholder)
}
