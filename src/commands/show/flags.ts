import { parseFlags } from '../common/parse-flags.ts'

/** `mdtest show`, as asked for on the command line. */
export interface ShowFlags {
  readonly paths: readonly string[]
  readonly dir?: string
  readonly logsDir?: string
  readonly json: boolean
  readonly help: boolean
}

export const showHelp = `Usage: mdtest show [specs…] [options]

Shows the newest run of each spec: verdict, result log, journal and evidence. Without specs: of all that have one.

Options:
  -d, --dir DIR       suite root (default: the current directory)
      --logs-dir DIR  where the logs are, if the option \`logs.dir\` is set
      --json          as JSON
  -h, --help          show this text

Exit codes: 0 done, 2 there is no such spec, or no log of it.
`

const options = {
  dir: { type: 'string', short: 'd' },
  'logs-dir': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const // the type of the result is inferred from literals

/**
 * Reads the arguments after `mdtest show`.
 * @throws {SetUpError} for an unknown flag.
 */
export function parseShowFlags(args: readonly string[]): ShowFlags {
  const { values, positionals } = parseFlags(args, { command: 'show', options })
  return {
    paths: positionals,
    json: values.json ?? false,
    help: values.help ?? false,
    ...(values.dir !== undefined && { dir: values.dir }),
    ...(values['logs-dir'] !== undefined && { logsDir: values['logs-dir'] }),
  }
}
