import { dialectPlaces, knownPlaces, contextName } from '../spec/dialects/dialect-places.ts'
import { matchGlob } from '../system/files/match-glob.ts'
import { pathIn, isInside } from '../system/files/paths.ts'
import type { ResolvedOptions } from './options/option-defaults.ts'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { orNothing } from '../system/error-facts.ts'
import { filesBelow } from '../system/files/list-files.ts'

export interface DialectContext extends Pick<ResolvedOptions, 'dialects'> {
  readonly root: string
}

/** The dialect of a file, from the option `dialects` or from its path. */
export function dialectOf(file: string, { root, dialects }: DialectContext): string | undefined {
  const path = pathIn(root, file)
  const whole = pathIn('/', file)
  const chosen = Object.entries(dialects).find(([, globs = []]) => globs.some((glob) => matchGlob(path, glob)))
  // Matches the whole path, because the root itself may be inside a dialect's folder.
  const placed = Object.entries(dialectPlaces).find(([, globs]) => globs.some((glob) => matchGlob(whole, glob)))
  return (chosen ?? placed)?.[0]
}

/** Returns globs of other tools' specs in `folder` (absolute path), such as any `spec.md` below `openspec/specs`. */
export function placesFrom(folder: string): readonly string[] {
  const path = pathIn('/', folder)
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

/** Absolute paths of `mdtest.context.md` from the root down to the folder of a file, whether they exist or not. */
export function contextFilesOf(file: string, root: string): readonly string[] {
  const folder = dirname(file)
  if (folder === file || !isInside(folder, root)) return []
  return [...contextFilesOf(folder, root), join(folder, contextName)]
}

/** Returns a function that searches other tools' specs beside or below a context file for a line ending in a title. */
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

/** Remembers the file where a title was found, because all specs of a run search for the same titles. */
const places = new Map<string, string>()
