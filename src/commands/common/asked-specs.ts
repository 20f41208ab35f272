import { basename, join, relative } from 'node:path'
import { describeLeftOut, mayHavePages } from '../../plan/index-pages.ts'
import { placesFrom } from '../../plan/dialect-of.ts'
import { defaultInclude, plainInclude } from '../../plan/options/defaults.ts'
import type { ResolvedOptions } from '../../plan/options/resolve-options.ts'
import { changesPlace, dialectPlaces } from '../../spec/dialects/places.ts'
import { entriesOf } from '../../system/files/list-files.ts'
import { ownCommand } from '../../system/own-package.ts'
import { didYouMean } from '../../system/text/did-you-mean.ts'
import { plainText } from '../../system/text/plain-text.ts'
import { quoteWord } from '../../system/text/quoting.ts'
import type { CliContext } from './cli-context.ts'
import { discoverSpecs, formatPatterns, isSkippedFolder, namedSpecs, type FoundSpec } from './find-specs.ts'
import type { agentFlag } from './flags.ts'
import { SetUpError } from './set-up-error.ts'

export type AskedAgent = ReturnType<(typeof agentFlag)['read']>

/** What a command line says of the specs that are meant. */
interface Asked {
  readonly paths: readonly string[]
  readonly include?: readonly string[] | undefined
  readonly agent?: AskedAgent | undefined
  readonly change?: string | undefined
}

interface AskContext extends Pick<CliContext, 'cwd' | 'stderr'> {
  readonly options: ResolvedOptions
  readonly root: string
}

/** There is nothing to be run, and nothing wrong. */
export class NoSpecs extends SetUpError {}

/**
 * The specs that a command line means, the same for every command: those of a change, those that paths name, or all. For an
 * agent that drives a browser any markdown is one, unless flags or options say otherwise, but for pages about specs, which
 * are told of. In a folder that is named, files of other tools are specs by their place.
 *
 * @throws {NoSpecs} where there is none
 * @throws {SetUpError} for a path that is no spec, or a change that is not there
 */
export async function askedSpecs(asked: Asked, context: AskContext): Promise<readonly FoundSpec[]> {
  const { paths, agent, change } = asked
  const { options, root, cwd, stderr } = context
  if (change !== undefined) return await specsOfChange(change, asked, root)
  const isAny = mayHavePages(agent) && options.include.join() === defaultInclude.join()
  const usual = isAny ? plainInclude : [...options.include, ...(paths.length > 0 ? placesFrom(root) : [])]
  const include = asked.include ?? usual
  const tell = (files: readonly string[]): void => {
    if (files.length > 0) stderr.write(`${describeLeftOut(files.map((file) => relative(root, file)))}\n`)
  }
  const onLeftOut = mayHavePages(agent ?? options.agent) ? tell : undefined
  const found =
    paths.length > 0
      ? await namedSpecs(paths, { dir: root, cwd, include, onLeftOut })
      : await discoverSpecs(root, include, { onLeftOut })
  if (found.length === 0) throw new NoSpecs(`There is no spec (${formatPatterns(include)}) under ${root}.`)
  return found
}

/** A command for a message. With another agent than was asked for it would read specs in another way. */
export function commandFor(words: readonly string[], agent: AskedAgent | undefined): string {
  const name = typeof agent === 'object' ? quoteWord(JSON.stringify(agent)) : agent
  return [ownCommand, ...words, ...(name === undefined ? [] : ['--agent', name])].join(' ')
}

/**
 * The specs of a change, wherever below the suite root a folder `openspec/changes` has it. The name is compared with those of
 * folders and is no path: whatever stands in it leads nowhere else.
 */
async function specsOfChange(change: string, { paths, include }: Asked, root: string): Promise<readonly FoundSpec[]> {
  const other = paths.length > 0 ? 'paths' : include === undefined ? undefined : '`--include`'
  if (other !== undefined)
    throw new SetUpError(
      `\`--change\` is all specs of a change, and ${other} would choose others. Leave one of them out; \`-t\` chooses scenarios by their names.`,
    )
  const folders = foldersOfChanges(root)
  const ofChange = folders.filter((folder) => basename(folder) === change)
  if (ofChange.length === 0) throw unknownChange(change, folders, root)
  const found = await Promise.all(ofChange.map((folder) => discoverSpecs(folder, dialectPlaces.openspec, { root })))
  if (found.flat().length > 0) return found.flat()
  throw new NoSpecs(
    `The change \`${change}\` has no spec: \`openspec/changes/${change}/specs/…/spec.md\` says what it adds and modifies.`,
  )
}

function unknownChange(change: string, folders: readonly string[], root: string): SetUpError {
  const names = [...new Set(folders.map((folder) => basename(folder)))].toSorted()
  const known =
    names.length === 0
      ? `There is no change at all in \`openspec/changes\` under ${root}: a folder there is one. \`--dir\` names another suite root.`
      : `There are: ${names.map((name) => `\`${plainText(name)}\``).join(', ')}.`
  const archived = change === changesPlace.archive ? ' What is archived is done.' : ''
  return new SetUpError(`There is no change \`${plainText(change)}\`.${archived}${didYouMean(change, names)} ${known}`)
}

function foldersOfChanges(dir: string): readonly string[] {
  const below = foldersIn(dir).filter((name) => !isSkippedFolder(name))
  const found = below.flatMap((name) => {
    if (name !== changesPlace.home) return foldersOfChanges(join(dir, name))
    const changes = join(dir, name, changesPlace.folder)
    const own = foldersIn(changes).filter((change) => change !== changesPlace.archive && !change.startsWith('.'))
    return own.map((change) => join(changes, change))
  })
  return found.toSorted()
}

function foldersIn(dir: string): readonly string[] {
  return entriesOf(dir)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}
