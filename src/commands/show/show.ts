import { resolve } from 'node:path'
import { whateverRan } from '../../plan/options/defaults.ts'
import { logFolder } from '../../records/folders/log-paths.ts'
import { newestLogs } from '../../records/folders/newest-logs.ts'
import { plainJson } from '../../system/text/plain-text.ts'
import type { CommandEnding } from '../common/exit-code.ts'
import { SetUpError } from '../common/set-up-error.ts'
import { suiteRoot } from '../common/suite.ts'
import type { CliContext } from '../common/cli-context.ts'
import { wholeSpecs } from '../common/find-specs.ts'
import { formatHelp, parseFlags } from '../common/parse-flags.ts'
import { formatRun } from './format-run.ts'
import { createPalette, hasColors } from '../common/styled-text.ts'
import { readRun, type ShownRun } from '../../records/folders/read-run.ts'
import type { CommandSyntax, FlagValues } from '../common/command-syntax.ts'
import { logsDirFlag, suiteRootFlag } from '../common/shared-flags.ts'

/**
 * `mdtest show`: prints the newest run of specs from what it left on disk.
 * @throws {SetUpError} if there is no such spec, or no log of it.
 */
export async function show(args: readonly string[], { cwd, env, stdout }: CliContext): Promise<CommandEnding> {
  const flags = parseShowFlags(args)
  if (flags.help) {
    stdout.write(formatHelp(showSyntax))
    return { command: 'show', end: 'done' }
  }
  const runs = await readRuns(flags, cwd)
  const palette = createPalette(hasColors(stdout, env))
  const text = flags.json
    ? `${plainJson(JSON.stringify(runs, undefined, 2))}\n`
    : runs.map((run) => formatRun(run, { cwd, palette })).join('\n')
  stdout.write(text)
  return { command: 'show', end: 'done' }
}

async function readRuns({ paths, ...flags }: ShowFlags, cwd: string): Promise<readonly ShownRun[]> {
  const root = await suiteRoot(flags.dir, cwd)
  const specs = await wholeSpecs(paths, { command: 'show', root, cwd, include: whateverRan })
  const logsDir = flags.logsDir === undefined ? {} : { dir: resolve(root, flags.logsDir) }
  const runs = await Promise.all(
    specs.map(async (file) => {
      const folder = logFolder({ specFile: file, root, ...logsDir })
      const logs = newestLogs(folder)
      if (logs === undefined && paths.length > 0) throw new SetUpError(`There is no log in ${folder}. ${hint}`)
      return logs === undefined ? [] : [await readRun(file, logs)]
    }),
  )
  if (runs.flat().length === 0) throw new SetUpError(`There are no logs under ${root}. ${hint}`)
  return runs.flat()
}

const hint =
  'Only specs that an agent carries out leave one: run such a spec first. If your configuration sets `logs.dir`, name that folder with `--logs-dir`.'

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
  examples: ['shop.test.md'],
  exitCodes: '0 done, 2 there is no such spec, or no log of it.',
} satisfies CommandSyntax

/** `mdtest show`, as asked for on the command line. */
type ShowFlags = FlagValues<typeof showSyntax> & { readonly paths: readonly string[] }

/**
 * Reads the arguments after `mdtest show`.
 * @throws {SetUpError} for an unknown flag.
 */
function parseShowFlags(args: readonly string[]): ShowFlags {
  const { values, positionals } = parseFlags(args, showSyntax)
  return { ...values, paths: positionals }
}
