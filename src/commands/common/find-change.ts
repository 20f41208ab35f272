import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { changesPlace, dialectPlaces } from '../../spec/dialects/places.ts'
import { plainText } from '../../system/text/plain-text.ts'
import { discoverSpecs, isSkippedFolder, type FoundSpec } from './find-specs.ts'
import { SetUpError } from './set-up-error.ts'
import { didYouMean } from '../../system/text/did-you-mean.ts'

/** What a command line says of the change that is meant. */
interface AskedChange {
  /** `--change` */
  readonly change: string
  /** Paths that are named besides: none may be. */
  readonly paths: readonly string[]
  /** `--include`: not with it. */
  readonly include?: readonly string[] | undefined
}

/**
 * The specs of a change, wherever below the suite root a folder `openspec/changes` has it; none where it has none. The name
 * is compared with those of folders and is no path: whatever stands in it leads nowhere else.
 *
 * @param root absolute path of the suite root
 * @throws {SetUpError} if there is no such change, or the command line chooses specs in another way, too.
 */
export async function specsOfChange(
  { change, paths, include }: AskedChange,
  root: string,
): Promise<readonly FoundSpec[]> {
  const other = paths.length > 0 ? 'paths' : include === undefined ? undefined : '`--include`'
  if (other !== undefined)
    throw new SetUpError(
      `\`--change\` is all specs of a change, and ${other} would choose others. Leave one of them out; \`-t\` chooses scenarios by their names.`,
    )
  const folders = await foldersOfChanges(root)
  const ofChange = folders.filter((folder) => basename(folder) === change)
  if (ofChange.length === 0) throw unknownChange(change, folders, root)
  const found = ofChange.map((folder) => discoverSpecs(folder, dialectPlaces.openspec, { root }))
  return (await Promise.all(found)).flat()
}

/** Why nothing runs, where a change has no specs. */
export function noSpecsOf(change: string): string {
  return `The change \`${change}\` has no spec: \`openspec/changes/${change}/specs/…/spec.md\` says what it adds and modifies.`
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

/** Absolute paths of the folders in each `openspec/changes`, but for what is archived. */
async function foldersOfChanges(dir: string): Promise<readonly string[]> {
  const names = await foldersIn(dir)
  const below = names
    .filter((name) => !isSkippedFolder(name))
    .map(async (name): Promise<readonly string[]> => {
      const folder = join(dir, name)
      if (name !== changesPlace.home) return await foldersOfChanges(folder)
      const changes = await foldersIn(join(folder, changesPlace.folder))
      const own = changes.filter((change) => change !== changesPlace.archive && !change.startsWith('.'))
      return own.map((change) => join(folder, changesPlace.folder, change))
    })
  return (await Promise.all(below)).flat().toSorted()
}

/** None in a folder that is not there, or cannot be read. */
async function foldersIn(dir: string): Promise<readonly string[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}
