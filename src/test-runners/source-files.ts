import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapePattern } from './command-parts.ts'

/** Source files of a project, in which tests are looked for where the runner does not tell their files. */
export interface SourceFiles {
  readonly paths: readonly string[]
  text(path: string): string
}

const maxDepth = 12
const maxFiles = 20_000
const leftOut = /^(?:\.|node_modules$|target$|build$|bin$|obj$|vendor$)/

/** Finds those of some endings; what is built or installed is left out. */
export function openSourceFiles(root: string, ending: RegExp): SourceFiles {
  const paths: string[] = []
  const walk = (folder: string, depth: number): void => {
    for (const entry of listFolder(join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isFile() && ending.test(entry.name)) paths.push(path)
      const isSearched = entry.isDirectory() && depth < maxDepth && paths.length < maxFiles
      // `src/bin` of Rust holds programs.
      if (isSearched && (!leftOut.test(entry.name) || path.endsWith('src/bin'))) walk(path, depth + 1)
    }
  }
  walk('', 0)
  const texts = new Map<string, string>()
  return {
    paths,
    text(path) {
      const text = texts.get(path) ?? readText(join(root, path))
      texts.set(path, text)
      return text
    },
  }
}

/**
 * The file of a class, by its full name: the one at the place of its package, else the one of its name that declares it,
 * else any. `undefined` where none does, or several.
 */
export function fileOfClass(className: string, sources: SourceFiles): string | undefined {
  const [simple = '', ...packages] = className
    .replace(/[$+].*$/, '')
    .split('.')
    .toReversed()
  const declares = new RegExp(`\\b(?:class|record|struct|object|interface|type|module)\\s+${escapePattern(simple)}\\b`)
  const isAt = (place: string) => (path: string) => `/${path.replace(/\.\w+$/, '')}`.endsWith(`/${place}`)
  const atPackage =
    packages.length === 0 ? [] : sources.paths.filter(isAt([...packages.toReversed(), simple].join('/')))
  if (atPackage.length > 0) return onlyOne(atPackage)
  const all = sources.paths.filter((path) => declares.test(sources.text(path)))
  const named = all.filter(isAt(simple))
  return onlyOne(named.length > 0 ? named : all)
}

export function onlyOne<T>(found: readonly T[]): T | undefined {
  return found.length === 1 ? found[0] : undefined
}

function listFolder(folder: string): ReturnType<typeof readEntries> {
  try {
    return readEntries(folder)
  } catch {
    return []
  }
}

function readEntries(folder: string) {
  return readdirSync(folder, { withFileTypes: true })
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
