import { resolve } from 'node:path'
import { whateverRan } from '../../plan/options/defaults.ts'
import { logFolder } from '../../records/folders/log-paths.ts'
import { newestLogs, readRun, type ShownRun } from '../../records/folders/read-run.ts'
import { plainJson } from '../../system/text/plain-text.ts'
import { command, flag, type CommandSyntax, type Given } from '../common/command.ts'
import { wholeSpecs } from '../common/find-specs.ts'
import { suiteRootFlag } from '../common/flags.ts'
import { SetUpError } from '../common/set-up-error.ts'
import { createPalette, hasColors } from '../common/styled-text.ts'
import { suiteRoot } from '../common/suite.ts'
import { formatRun } from './format-run.ts'

export const showSyntax = {
  command: 'show',
  usage: ['[specs…] [options]'],
  about:
    'Shows the newest run of each spec: verdict, result log, journal and evidence. Without specs: of all that have one.',
  flags: {
    dir: suiteRootFlag,
    logsDir: flag('--logs-dir DIR', 'where the logs are, if the option `logs.dir` is set'),
    json: flag('--json', 'as JSON'),
  },
  examples: ['shop.test.md'],
  exitCodes: '0 done, 2 there is no such spec, or no log of it.',
} satisfies CommandSyntax

/**
 * `mdtest show`: prints the newest run of specs from what it left on disk.
 * @throws {SetUpError} if there is no such spec, or no log of it.
 */
export const show = command(showSyntax, async (given, { cwd, env, stdout }) => {
  const runs = await readRuns(given, cwd)
  const palette = createPalette(hasColors(stdout, env))
  stdout.write(
    given.json
      ? `${plainJson(JSON.stringify(runs, undefined, 2))}\n`
      : runs.map((run) => formatRun(run, { cwd, palette })).join('\n'),
  )
})

const hint =
  'Only specs that an agent carries out leave one: run such a spec first. If your configuration sets `logs.dir`, name that folder with `--logs-dir`.'

async function readRuns({ paths, dir, logsDir }: Given<typeof showSyntax>, cwd: string): Promise<readonly ShownRun[]> {
  const root = await suiteRoot(dir, cwd)
  const specs = await wholeSpecs(paths, { command: 'show', dir: root, cwd, include: whateverRan })
  const runs = await Promise.all(
    specs.map(async (file) => {
      const folder = logFolder({ specFile: file, root, ...(logsDir !== undefined && { dir: resolve(root, logsDir) }) })
      const logs = newestLogs(folder)
      if (logs === undefined && paths.length > 0) throw new SetUpError(`There is no log in ${folder}. ${hint}`)
      return logs === undefined ? [] : [await readRun(file, logs)]
    }),
  )
  if (runs.flat().length === 0) throw new SetUpError(`There are no logs under ${root}. ${hint}`)
  return runs.flat()
}
