import type { CommandSyntax, FlagValues } from '../common/command-syntax.ts'
import { parseFlags } from '../common/parse-flags.ts'
import { logsDirFlag, suiteRootFlag } from '../common/shared-flags.ts'

export const showSyntax = {
  command: 'show',
  usage: ['[specs…] [options]'],
  about:
    'Shows the newest run of each spec: verdict, result log, journal and evidence. Without specs: of all that have one.',
  flags: {
    dir: suiteRootFlag,
    logsDir: logsDirFlag,
    json: { flag: 'json', summary: 'as JSON' },
  },
  exitCodes: '0 done, 2 there is no such spec, or no log of it.',
} satisfies CommandSyntax

/** `mdtest show`, as asked for on the command line. */
export type ShowFlags = FlagValues<typeof showSyntax> & { readonly paths: readonly string[] }

/**
 * Reads the arguments after `mdtest show`.
 * @throws {SetUpError} for an unknown flag.
 */
export function parseShowFlags(args: readonly string[]): ShowFlags {
  const { values, positionals } = parseFlags(args, showSyntax)
  return { ...values, paths: positionals }
}
