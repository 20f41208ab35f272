import type { CommandSyntax, FlagValues } from '../common/command-syntax.ts'
import { parseFlags } from '../common/parse-flags.ts'
import { includeFlag, suiteRootFlag } from '../common/shared-flags.ts'

export const listSyntax = {
  command: 'list',
  usage: ['[specs…] [options]'],
  about: `Prints the plan of specs (*.test.md, or what the option \`include\` says) without running anything: scenarios and steps
with their lines, and who does what: [agent], [sh], [console], [ts], [js], [file], or nobody: [todo], [skip]. Without
specs: of all there are.`,
  flags: {
    dir: suiteRootFlag,
    include: includeFlag,
    cost: { flag: 'cost', summary: 'estimate what a run uses, from the newest passes on disk' },
    json: { flag: 'json', summary: 'as JSON' },
  },
  exitCodes:
    '0 done, 1 a spec has problems or cannot be read, 2 there is no such spec, or the configuration cannot be loaded.',
} satisfies CommandSyntax

/** `mdtest list`, as asked for on the command line. */
export type ListFlags = FlagValues<typeof listSyntax> & { readonly paths: readonly string[] }

/**
 * Reads the arguments after `mdtest list`.
 * @throws {SetUpError} for an unknown flag.
 */
export function parseListFlags(args: readonly string[]): ListFlags {
  const { values, positionals } = parseFlags(args, listSyntax)
  return { ...values, paths: positionals }
}
