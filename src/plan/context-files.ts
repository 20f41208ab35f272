import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { contextName } from '../spec/context/read-context.ts'
import { isInside } from '../system/files/is-inside.ts'
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
  const known = new Map<string, readonly string[]>()
  return (title, contextFile) => {
    const lines = known.get(contextFile) ?? linesBelow(dirname(contextFile), context)
    known.set(contextFile, lines)
    return lines.some((line) => line.endsWith(title))
  }
}

function linesBelow(folder: string, context: DialectContext): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path))
  return files
    .filter((file) => !file.includes('node_modules') && dialectOf(file, context) !== undefined)
    .flatMap(linesOf)
    .map((line) => line.trimEnd())
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return [] // A folder of that name, or gone meanwhile.
  }
}
