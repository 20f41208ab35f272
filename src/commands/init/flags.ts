import type { CommandSyntax, FlagValues } from '../common/command-syntax.ts'
import { parseFlags } from '../common/parse-flags.ts'
import { SetUpError } from '../common/set-up-error.ts'

export const initSyntax = {
  command: 'init',
  usage: ['[options]'],
  about: `Adds the specs to the configuration of Vitest, Vite or Jest, or makes one (none where there is no package.json); makes an
example spec where there is none; has git ignore the logs. Shows what it did. What is there already stays as it is.`,
  flags: {
    dir: {
      flag: 'dir',
      short: 'd',
      value: 'DIR',
      summary: 'directory of the configuration (default: the current directory)',
    },
    dryRun: { flag: 'dry-run', summary: 'show what would be done, and do nothing' },
  },
  exitCodes: '0 done, also where there was nothing to do, 2 nothing was done: the reason is on stderr.',
} satisfies CommandSyntax

/**
 * Reads the arguments after `mdtest init`.
 * @throws {SetUpError} for an unknown flag, or anything else.
 */
export function parseInitFlags(args: readonly string[]): FlagValues<typeof initSyntax> {
  const { values, positionals } = parseFlags(args, initSyntax)
  if (positionals.length > 0) {
    throw new SetUpError(`\`${positionals[0]}\`: \`mdtest init\` takes no paths; name a directory by \`--dir\`.`)
  }
  return values
}
