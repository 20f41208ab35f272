import { relative } from 'node:path'
import { plainText } from '../../system/text/plain-text.ts'
import type { CommandEnding } from '../common/exit-code.ts'
import { indent } from '../common/layout.ts'
import { suiteRoot } from '../common/suite-root.ts'
import type { Surroundings } from '../common/surroundings.ts'
import { make, planChanges } from './changes.ts'
import { initSyntax, parseInitFlags } from './flags.ts'
import { formatHelp } from '../common/format-help.ts'
import type { Change } from './read-if-there.ts'
import { readManifest } from './read-manifest.ts'

/**
 * `mdtest init`: adds the plugin to a project.
 * @throws {SetUpError} if the configuration cannot be changed; then nothing is.
 */
export async function init(args: readonly string[], { cwd, stdout }: Surroundings): Promise<CommandEnding> {
  const flags = parseInitFlags(args)
  if (flags.help) {
    stdout.write(formatHelp(initSyntax))
    return { command: 'init', end: 'done' }
  }
  const dir = await suiteRoot(flags.dir, cwd)
  const manifest = await readManifest(dir)
  const { changes, runner } = await planChanges(dir, manifest)
  for (const change of changes) {
    if (!flags.dryRun) await make(change)
    stdout.write(formatChange(change, { cwd, isDone: !flags.dryRun }))
  }
  if (changes.length === 0)
    stdout.write(`Nothing to do: ${runner ? 'plugin, ' : ''}specs and ignored logs are there.\n`)
  if (runner && !manifest.hasPackage) stdout.write('Then install the package: npm i -D vitest-mdtest\n')
  if (changes.length > 0) stdout.write(`Run the specs: ${runner?.command ?? 'npx vitest-mdtest run'}\n`)
  return { command: 'init', end: 'done' }
}

function formatChange(
  { file, before, after }: Change,
  { cwd, isDone }: { readonly cwd: string; readonly isDone: boolean },
): string {
  const [done, toDo] = before === undefined ? ['created', 'create'] : ['changed', 'change']
  const there = new Set(before?.split(/\r?\n/))
  const added = after
    .split(/\r?\n/)
    .filter((line, index, lines) => !there.has(line) && (line !== '' || index < lines.length - 1))
  const lines = [
    `${isDone ? done : `would ${toDo}`} ${relative(cwd, file)}`,
    ...indent(added.map((line) => `+ ${line}`.trimEnd())),
  ]
  return `${plainText(lines.join('\n'))}\n\n`
}
