import { parseFlags } from '../common/parse-flags.ts'
import { SetUpError } from '../common/set-up-error.ts'

/** `mdtest init`, as asked for on the command line. */
export interface InitFlags {
  readonly dir?: string
  readonly dryRun: boolean
  readonly help: boolean
}

export const initHelp = `Usage: mdtest init [options]

Adds the specs to the configuration of Vitest, Vite or Jest, or makes one (none where there is no package.json); makes an
example spec where there is none; has git ignore the logs. Shows what it did. What is there already stays as it is.

Options:
  -d, --dir DIR   directory of the configuration (default: the current directory)
      --dry-run   show what would be done, and do nothing
  -h, --help      show this text

Exit codes: 0 done, also where there was nothing to do, 2 nothing was done: the reason is on stderr.
`

const options = {
  dir: { type: 'string', short: 'd' },
  'dry-run': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const // the type of the result is inferred from literals

/**
 * Reads the arguments after `mdtest init`.
 * @throws {SetUpError} for an unknown flag, or anything else.
 */
export function parseInitFlags(args: readonly string[]): InitFlags {
  const { values, positionals } = parseFlags(args, { command: 'init', options })
  if (positionals.length > 0) {
    throw new SetUpError(`\`${positionals[0]}\`: \`mdtest init\` takes no paths; name a directory by \`--dir\`.`)
  }
  return {
    dryRun: values['dry-run'] ?? false,
    help: values.help ?? false,
    ...(values.dir !== undefined && { dir: values.dir }),
  }
}
