import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { contextName } from '../spec/context/read-context.ts'
import { isInside } from '../system/files/paths.ts'
import { entriesOf } from '../system/files/list-files.ts'
import { dialectOf, type DialectContext } from './dialect-of.ts'

/** Where files that say how the product is run would be for a spec: the outermost first. Absolute paths. */
export function contextFilesOf(file: string, root: string): readonly string[] {
  const files: string[] = []
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (folder !== root && !isInside(folder, root)) break
    files.unshift(join(folder, contextName))
    if (folder === root || folder === dirname(folder)) break
  }
  return files
}

/** Whether a spec of another tool below the folder of such a file (absolute path) has a line that ends with this title. */
export function createScenarioSearch(context: DialectContext): (title: string, contextFile: string) => boolean {
  const has = (file: string, title: string): boolean =>
    dialectOf(file, context) !== undefined && linesOf(file).some((line) => line.trimEnd().endsWith(title))
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

/** Where titles were found. Each spec asks for all that it lacks itself, so all of a run ask for the same. */
const places = new Map<string, string>()

function* filesBelow(folder: string): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isFile()) yield path
    else if (entry.isDirectory() && !foreignFolders.has(entry.name)) yield* filesBelow(path)
  }
}

const foreignFolders: ReadonlySet<string> = new Set(['.git', 'node_modules'])

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return [] // It is gone meanwhile.
  }
}
