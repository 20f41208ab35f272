import { dialectPlaces } from '../../spec/dialects/places.ts'
import { relative, join } from 'node:path'
import { plainText } from '../../system/text/plain-text.ts'
import type { CommandEnding } from '../common/exit-code.ts'
import { indent } from '../common/styled-text.ts'
import { suiteRoot } from '../common/suite.ts'
import type { CliContext } from '../common/cli-context.ts'
import { formatHelp, parseFlags } from '../common/parse-flags.ts'
import { type Change, chooseRunner, planConfig, readIfThere } from './plan-config.ts'
import { readManifest, type Manifest } from './read-manifest.ts'
import type { CommandSyntax, FlagValues } from '../common/command-syntax.ts'
import { SetUpError } from '../common/set-up-error.ts'
import { writeFile } from 'node:fs/promises'
import { discoverSpecs } from '../common/find-specs.ts'
import { exampleName, exampleSpec } from './contents.ts'
import type { Runner } from './runners.ts'
import { describeFileError } from '../../system/files/file-errors.ts'

/**
 * `mdtest init`: adds the plugin to a project.
 * @throws {SetUpError} if the configuration cannot be changed; then nothing is.
 */
export async function init(args: readonly string[], { cwd, stdout }: CliContext): Promise<CommandEnding> {
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

export const initSyntax = {
  command: 'init',
  usage: ['[options]'],
  about: `Adds the specs to the configuration of Vitest, Vite or Jest, or makes one (none where there is no package.json); takes specs
of other tools that are there, or makes an example spec where there is none; has git ignore the logs. Shows what it did. What
is there already stays as it is.`,
  flags: {
    dir: {
      flag: 'dir',
      short: 'd',
      value: 'DIR',
      summary: 'directory of the configuration (default: the current directory)',
    },
    dryRun: { flag: 'dry-run', summary: 'show what would be done, and do nothing' },
  },
  examples: ['', '--dry-run'],
  exitCodes: '0 done, also where there was nothing to do, 2 nothing was done: the reason is on stderr.',
} satisfies CommandSyntax

/**
 * Reads the arguments after `mdtest init`.
 * @throws {SetUpError} for an unknown flag, or anything else.
 */
function parseInitFlags(args: readonly string[]): FlagValues<typeof initSyntax> {
  const { values, positionals } = parseFlags(args, initSyntax)
  if (positionals.length > 0) {
    throw new SetUpError(`\`${positionals[0]}\`: \`mdtest init\` takes no paths; name a directory by \`--dir\`.`)
  }
  return values
}

/** What is to be done, and which runner the specs are for: none where there is no project of Node.js. */
interface InitPlan {
  /** Nothing that is done already. */
  readonly changes: readonly Change[]
  readonly runner: Runner | undefined
}

/**
 * Plans what is to be done in a directory.
 * @throws {SetUpError} if the configuration cannot be changed.
 */
async function planChanges(dir: string, manifest: Manifest): Promise<InitPlan> {
  const runner = await chooseRunner(dir, manifest)
  const found = await findDialects(dir)
  const options = formatDialects(found)
  const example = found.length > 0 ? undefined : await planExample(dir)
  const changes = [await planConfig(dir, { runner, manifest, options }), example, await planIgnore(dir)]
  return { changes: changes.filter((change) => change !== undefined), runner }
}

/** @throws {SetUpError} if a file cannot be written. */
async function make({ file, before, after }: Change): Promise<void> {
  try {
    // A new file never takes the place of one that came in between.
    await writeFile(file, after, before === undefined ? { flag: 'wx' } : {})
  } catch (error: unknown) {
    throw new SetUpError(`\`${file}\` cannot be written: ${describeFileError(error)}`)
  }
}

async function planExample(dir: string): Promise<Change | undefined> {
  const specs = await discoverSpecs(dir)
  return specs.length > 0 ? undefined : { file: join(dir, exampleName), after: exampleSpec }
}

const ignored = '*.logs/'
const alike: readonly string[] = [ignored, '*.logs', '**/*.logs/', '**/*.logs']

async function planIgnore(dir: string): Promise<Change | undefined> {
  const file = join(dir, '.gitignore')
  const before = await readIfThere(file)
  if (before === undefined) return { file, after: `${ignored}\n` }
  if (before.split(/\r?\n/).some((line) => alike.includes(line.trim()))) return undefined
  const lineBreak = before.includes('\r\n') ? '\r\n' : '\n'
  const gap = before === '' || before.endsWith('\n') ? '' : lineBreak
  return { file, before, after: `${before}${gap}${ignored}${lineBreak}` }
}

/** Specs of another tool in a project. */
interface FoundDialect {
  readonly name: string
  /** Glob relative to the project. */
  readonly glob: string
}

/** The dialects of which a project (absolute path) has files where the other tool has them. */
async function findDialects(dir: string): Promise<readonly FoundDialect[]> {
  const found = await Promise.all(
    Object.entries(dialectPlaces).map(async ([name, [glob]]): Promise<readonly FoundDialect[]> => {
      if (glob === undefined) return []
      const files = await discoverSpecs(dir, [glob])
      const atRoot = glob.replace(/^\*\*\//, '')
      const folder = atRoot.split('/')[0] ?? ''
      const isAtRoot = files.every(({ file }) => relative(dir, file).startsWith(`${folder}/`))
      return files.length === 0 ? [] : [{ name, glob: isAtRoot ? atRoot : glob }]
    }),
  )
  return found.flat()
}

/** Options of the plugin as they are written; empty where nothing was found. */
function formatDialects(found: readonly FoundDialect[]): string {
  if (found.length === 0) return ''
  const entries = found.map(({ name, glob }) => `${/^\w+$/.test(name) ? name : `'${name}'`}: ['${glob}']`)
  return `{ dialects: { ${entries.join(', ')} } }`
}
