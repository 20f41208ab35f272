import { dialectPlaces, knownPlaces, contextName } from '../spec/dialects/places.ts'
import { matchGlob } from '../system/files/match-glob.ts'
import { pathIn, isInside } from '../system/files/paths.ts'
import type { ResolvedOptions } from './options/resolve-options.ts'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { orNothing } from '../system/error-facts.ts'
import { filesBelow } from '../system/files/list-files.ts'

export interface DialectContext extends Pick<ResolvedOptions, 'dialects'> {
  readonly root: string
}

/** By the option `dialects`, else by where the other tool has its files. */
export function dialectOf(file: string, { root, dialects }: DialectContext): string | undefined {
  const path = pathIn(root, file)
  const whole = wholePath(file)
  const chosen = Object.entries(dialects).find(([, globs = []]) => globs.some((glob) => matchGlob(path, glob)))
  // The root itself may lie within such a place.
  const placed = Object.entries(dialectPlaces).find(([, globs]) => globs.some((glob) => matchGlob(whole, glob)))
  return (chosen ?? placed)?.[0]
}

/** Globs of other tools' files, relative to a folder (absolute path): from `openspec/specs` also any `spec.md` below. */
export function placesFrom(folder: string): readonly string[] {
  const path = wholePath(folder)
  const within = knownPlaces.flatMap((glob) => {
    const names = glob.split('/')
    return names.slice(1, -1).flatMap((_name, index) => {
      const [above, below] = [names.slice(0, index + 2), names.slice(index + 2)]
      const isBelowAny = above.at(-1) === '**'
      return matchGlob(path, above.join('/')) ? [[...(isBelowAny ? ['**'] : []), ...below].join('/')] : []
    })
  })
  return [...new Set([...knownPlaces, ...within])]
}

function wholePath(path: string): string {
  return pathIn('/', path)
}

/** Files that say how the product is run, there or not, the outermost first. Absolute paths. */
export function contextFilesOf(file: string, root: string): readonly string[] {
  const files: string[] = []
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (folder !== root && !isInside(folder, root)) break
    files.unshift(join(folder, contextName))
    if (folder === root || folder === dirname(folder)) break
  }
  return files
}

/** Whether a spec of another tool beside or below such a file has a line that ends with this title. */
export function createScenarioSearch(context: DialectContext): (title: string, contextFile: string) => boolean {
  const has = (file: string, title: string): boolean =>
    dialectOf(file, context) !== undefined &&
    (orNothing(() => readFileSync(file, 'utf8')) ?? '').split('\n').some((line) => line.trimEnd().endsWith(title))
  return (title, contextFile) => {
    const key = `${contextFile}\n${title}`
    const known = places.get(key)
    if (known !== undefined && has(known, title)) return true
    for (const file of filesBelow(dirname(contextFile))) {
      if (!has(file, title)) continue
      places.set(key, file)
      return true
    }
    return false
  }
}

/** Where titles were found: all specs of a run ask for the same. */
const places = new Map<string, string>()
