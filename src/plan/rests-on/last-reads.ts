import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { hashBytes } from '../../host/guard/file-state.ts'
import { orNothing } from '../../system/error-facts.ts'
import { groundAt } from '../../system/files/trusted-folder.ts'
import { statsOf } from '../../system/files/paths.ts'
import { makeFolder, replaceFile } from '../../system/files/write-file.ts'
import { version } from '../../system/mdtest-package.ts'

const lastReadsSchema = z.object({
  /** State of each path that the spec depended on, relative to the root. `folder/`: the names in a folder. */
  files: z.record(z.string(), z.string()),
  /** Names of the Node.js programs whose reads were traced. */
  programs: z.array(z.string()),
  /** Why the spec may depend on files that are not listed. Absent if the list is complete. */
  opaque: z.string().exactOptional(),
})
const fileSchema = z.object({ made: z.string(), specs: z.record(z.string(), lastReadsSchema) })

export type LastReads = z.infer<typeof lastReadsSchema>

/** Versions of this file's format, mdtest and Node.js. Data of other versions is ignored. */
const made = `1 ${version()} ${process.version}`
const name = 'mdtest/rests-on.json'

/** The dependencies of each spec, by the spec's path in the root. @param folder Vite's cache (absolute path) */
export function readLastReads(folder: string): Readonly<Record<string, LastReads>> {
  const file = orNothing(() => fileSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
  return file?.made === made ? file.specs : {}
}

/** Adds the specs that ran to the file. An error only makes specs run once more. Never creates `node_modules`. */
export function writeLastReads(folder: string, ran: Readonly<Record<string, LastReads>>): void {
  const [, modules] = /^(.*[\\/]node_modules)[\\/]/.exec(folder) ?? []
  if (modules !== undefined && !existsSync(modules)) return
  const specs = { ...readLastReads(folder), ...ran }
  const [ground, file] = [groundAt(dirname(folder)), join(folder, name)]
  orNothing(() => {
    makeFolder(ground, dirname(file))
    replaceFile(ground, file, JSON.stringify({ made, specs }))
  })
}

/** Returns the state of a path, relative to the root. The first answer is cached. */
export type StateOf = (path: string) => string

/** A file that changed after `sinceMs` is `changing`: a spec may have read its old or its new content. */
export function openStates(root: string, sinceMs = Number.POSITIVE_INFINITY): StateOf {
  const known = new Map<string, string>()
  const read = (path: string): string => {
    const file = join(root, path)
    const stats = statsOf(file)
    const isFolder = stats?.isDirectory()
    if (isFolder && !path.endsWith('/')) return 'folder'
    // Reading a pipe would wait for a writer.
    if (stats === undefined || (!isFolder && !stats.isFile())) return 'absent'
    if (stats.mtimeMs >= sinceMs) return changing
    const content = orNothing(() => (isFolder ? readdirSync(file).toSorted().join('\0') : readFileSync(file)))
    return content === undefined ? 'unreadable' : hashBytes(content).slice(0, 24)
  }
  return (path) => {
    const state = known.get(path) ?? read(path)
    known.set(path, state)
    return state
  }
}

export const changing = 'changing'

export function findDifference({ files }: LastReads, stateOf: StateOf): string | undefined {
  return Object.keys(files).find((path) => files[path] !== stateOf(path) || files[path] === changing)
}
