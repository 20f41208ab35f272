import { parseFlags } from '../common/parse-flags.ts'

/** `mdtest list`, as asked for on the command line. */
export interface ListFlags {
  readonly paths: readonly string[]
  readonly dir?: string
  /** Which files are specs, relative to the suite root; absent for those of the options. */
  readonly include?: readonly string[]
  readonly cost: boolean
  readonly json: boolean
  readonly help: boolean
}

export const listHelp = `Usage: mdtest list [specs…] [options]

Prints the plan of specs (*.test.md, or what the option \`include\` says) without running anything: scenarios and steps
with their lines, and who does what: [agent], [sh], [console], [ts], [js], [file], or nobody: [todo], [skip]. Without
specs: of all there are.

Options:
  -d, --dir DIR       suite root (default: the current directory)
      --include GLOB  which files are specs, relative to the suite root; repeatable (default: the option \`include\`)
      --cost          estimate what a run uses, from the newest passes on disk
      --json          as JSON
  -h, --help          show this text

Exit codes: 0 done, 1 a spec has problems or cannot be read, 2 there is no such spec, or the configuration cannot be loaded.
`

const options = {
  dir: { type: 'string', short: 'd' },
  include: { type: 'string', multiple: true },
  cost: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const // the type of the result is inferred from literals

/**
 * Reads the arguments after `mdtest list`.
 * @throws {SetUpError} for an unknown flag.
 */
export function parseListFlags(args: readonly string[]): ListFlags {
  const { values, positionals } = parseFlags(args, { command: 'list', options })
  return {
    paths: positionals,
    cost: values.cost ?? false,
    json: values.json ?? false,
    help: values.help ?? false,
    ...(values.dir !== undefined && { dir: values.dir }),
    ...(values.include !== undefined && { include: values.include }),
  }
}
