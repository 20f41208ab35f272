import type { CliAgent } from '../agent.ts'
import { prepareWithServers } from '../browser/equip-with-browser.ts'

/** Any program without an event stream. Placeholders such as `{prompt}` in its arguments are replaced. */
export function createCommandAgent([program, ...args]: readonly [string, ...string[]]): CliAgent {
  return {
    name: 'command',
    bin: program,
    ownWords: args,
    reports: 'none',
    reportsToExecutor: 'file',
    confinement: 'trust',
    prepare: prepareWithServers,
    buildCommand({ prompt, specFile, logFile, root = '', reports, cwd, env }) {
      const values: Readonly<Record<string, string>> = {
        ...{ '{prompt}': prompt, '{spec}': specFile, '{log}': logFile, '{root}': root },
        ...(reports && { '{mcp}': reports.configFile }),
      }
      // Replace in one pass, so that a `{log}` inside the prompt stays as it is.
      const words = args.map((word) => word.replace(/\{\w+\}/g, (placeholder) => values[placeholder] ?? placeholder))
      return {
        argv: [program, ...words],
        cwd,
        env: { ...env, ...(reports && { MDTEST_MCP_CONFIG: reports.configFile }) },
      }
    },
    readEvents: () => [],
  }
}
