import { parseFlags } from '../common/parse-flags.ts'
import { SetUpError } from '../common/set-up-error.ts'

/** `mdtest report`, as asked for on the command line. */
export interface ReportFlags {
  readonly report?: string
  readonly from: readonly string[]
  readonly dir?: string
  readonly logsDir?: string
  readonly help: boolean
}

export const reportHelp = `Usage: mdtest report [DIR] [options]

Writes the HTML report in DIR (default: mdtest-report) anew, from what runs left on disk: what the reporter stored in DIR,
in other reports, result logs that are newer, and sessions of mdtest fix.

Options:
      --from DIR      take over what another report tells, for example that of a shard; repeatable
  -d, --dir DIR       suite root (default: the current directory)
      --logs-dir DIR  where the logs are, if the option \`logs.dir\` is set
  -h, --help          show this text

Exit codes: 0 done, 2 there is nothing to report.
`

const options = {
  from: { type: 'string', multiple: true },
  dir: { type: 'string', short: 'd' },
  'logs-dir': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const // the type of the result is inferred from literals

/**
 * Reads the arguments after `mdtest report`.
 * @throws {SetUpError} for an unknown flag, or more than one folder.
 */
export function parseReportFlags(args: readonly string[]): ReportFlags {
  const { values, positionals } = parseFlags(args, { command: 'report', options })
  const [report, second] = positionals
  if (second !== undefined) {
    throw new SetUpError(`\`mdtest report\` takes one folder; name the one to take over from by \`--from ${second}\`.`)
  }
  return {
    from: values.from ?? [],
    help: values.help ?? false,
    ...(report !== undefined && { report }),
    ...(values.dir !== undefined && { dir: values.dir }),
    ...(values['logs-dir'] !== undefined && { logsDir: values['logs-dir'] }),
  }
}
