import type { CommandSyntax, FlagValues } from '../common/command-syntax.ts'
import { wholeNumber } from '../common/flag-readers.ts'
import { parseFlags } from '../common/parse-flags.ts'

/** `mdtest mcp`, as asked for on the command line. */
export interface McpFlags extends FlagValues<typeof mcpSyntax> {
  /** How many of the newest reports stay. */
  readonly keepReports: number
}

const defaultKeep = 20
const maxKeep = 10_000

export const mcpSyntax = {
  command: 'mcp',
  usage: ['[options]'],
  about: `An MCP server on standard input and output, for coding agents. It has one tool, run_test, which runs the tests of a project
with a known test runner, within limits, and answers with what failed. It takes no commands.`,
  flags: {
    root: {
      flag: 'root',
      value: 'DIR',
      summary: 'root of the repository (default: the git root of the current directory)',
    },
    isQueued: {
      flag: 'queue',
      summary: 'calls wait for their turn (default: one that comes while tests run is answered with an error)',
    },
    keepReports: {
      flag: 'keep',
      value: 'N',
      read: wholeNumber(1, maxKeep),
      summary: `how many reports of past runs stay, 1 to ${maxKeep} (default: ${defaultKeep})`,
    },
  },
  isFlagsOnly: true,
  exitCodes:
    '0 the client closed standard input, 2 wrong use or no repository, 130 and 143 ended by SIGINT or SIGTERM.',
} satisfies CommandSyntax

/**
 * Reads the arguments after `mdtest mcp`.
 * @throws {SetUpError} for an unknown flag, or a wrong value.
 */
export function parseMcpFlags(args: readonly string[]): McpFlags {
  return { keepReports: defaultKeep, ...parseFlags(args, mcpSyntax).values }
}
