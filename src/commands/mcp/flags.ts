import { parseFlags } from '../common/parse-flags.ts'
import { SetUpError } from '../common/set-up-error.ts'

/** `mdtest mcp`, as asked for on the command line. */
export interface McpFlags {
  readonly root?: string
  readonly isQueued: boolean
  /** How many of the newest reports stay. */
  readonly keepReports: number
  readonly help: boolean
}

const defaultKeep = 20
const maxKeep = 10_000

export const mcpHelp = `Usage: mdtest mcp [options]

An MCP server on standard input and output, for coding agents. It has one tool, run_test, which runs the tests of a project
with a known test runner, within limits, and answers with what failed. It takes no commands.

Options:
      --root DIR  root of the repository (default: the git root of the current directory)
      --queue     calls wait for their turn (default: one that comes while tests run is answered with an error)
      --keep N    how many reports of past runs stay, 1 to ${maxKeep} (default: ${defaultKeep})
  -h, --help      show this text

Exit codes: 0 the client closed standard input, 2 wrong use or no repository, 130 and 143 ended by SIGINT or SIGTERM.
`

const options = {
  root: { type: 'string' },
  queue: { type: 'boolean' },
  keep: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const // the type of the result is inferred from literals

/**
 * Reads the arguments after `mdtest mcp`.
 * @throws {SetUpError} for an unknown flag, or a wrong value.
 */
export function parseMcpFlags(args: readonly string[]): McpFlags {
  const { values, positionals } = parseFlags(args, { command: 'mcp', options })
  if (positionals.length > 0) throw new SetUpError(`Unexpected \`${positionals[0]}\`; see \`mdtest mcp --help\`.`)
  return {
    isQueued: values.queue ?? false,
    keepReports: readKeep(values.keep),
    help: values.help ?? false,
    ...(values.root !== undefined && { root: values.root }),
  }
}

function readKeep(text: string | undefined): number {
  if (text === undefined) return defaultKeep
  const keep = /^\d+$/.test(text) ? Number(text) : 0
  if (keep >= 1 && keep <= maxKeep) return keep
  throw new SetUpError(`\`--keep\` takes a whole number from 1 to ${maxKeep}, got \`${text}\`.`)
}
