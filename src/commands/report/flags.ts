import type { CommandSyntax, FlagValues } from '../common/command-syntax.ts'
import { parseFlags } from '../common/parse-flags.ts'
import { SetUpError } from '../common/set-up-error.ts'
import { logsDirFlag, suiteRootFlag } from '../common/shared-flags.ts'

export const reportSyntax = {
  command: 'report',
  usage: ['[DIR] [options]'],
  about: `Writes the HTML report in DIR (default: mdtest-report) anew, from what runs left on disk: what the reporter stored in DIR,
in other reports, result logs that are newer, and sessions of mdtest fix.`,
  flags: {
    from: {
      flag: 'from',
      value: 'DIR',
      isRepeatable: true,
      summary: 'take over what another report tells, for example that of a shard; repeatable',
    },
    dir: suiteRootFlag,
    logsDir: logsDirFlag,
  },
  exitCodes: '0 done, 2 there is nothing to report.',
} satisfies CommandSyntax

/** `mdtest report`, as asked for on the command line. */
export type ReportFlags = FlagValues<typeof reportSyntax> & { readonly report?: string }

/**
 * Reads the arguments after `mdtest report`.
 * @throws {SetUpError} for an unknown flag, or more than one folder.
 */
export function parseReportFlags(args: readonly string[]): ReportFlags {
  const { values, positionals } = parseFlags(args, reportSyntax)
  const [report, second] = positionals
  if (second !== undefined) {
    throw new SetUpError(`\`mdtest report\` takes one folder; name the one to take over from by \`--from ${second}\`.`)
  }
  return report === undefined ? values : { ...values, report }
}
