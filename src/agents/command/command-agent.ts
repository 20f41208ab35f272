import type { AgentRequest, CliAgent } from '../agent.ts'
import { prepareWithServers } from '../browser/equip-with-browser.ts'

/**
 * An agent that is any program: `{prompt}`, `{spec}`, `{log}` and `{root}` are replaced wherever they stand in its
 * arguments.
 * It has no event stream, so nothing is known of what it did.
 */
export function createCommandAgent(command: readonly [string, ...string[]]): CliAgent {
  const [program, ...args] = command
  return {
    name: 'command',
    bin: program,
    reports: 'none',
    prepare: prepareWithServers,
    buildCommand: (request) => ({
      argv: [program, ...args.map((argument) => fill(argument, request))],
      cwd: request.cwd,
      env: request.env,
    }),
    readEvents: () => [],
  }
}

/** One pass over the argument: a `{log}` that came in with the prompt stays as it is. */
function fill(argument: string, { prompt, specFile, logFile, root = '' }: AgentRequest): string {
  const values: Readonly<Record<string, string>> = {
    '{prompt}': prompt,
    '{spec}': specFile,
    '{log}': logFile,
    '{root}': root,
  }
  return argument.replace(/\{(?:prompt|spec|log|root)\}/g, (placeholder) => values[placeholder] ?? placeholder)
}
