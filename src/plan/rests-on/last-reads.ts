import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { orNothing } from '../../system/error-facts.ts'
import { groundAt } from '../../system/files/ground.ts'
import { statsOf } from '../../system/files/paths.ts'
import { makeFolder, replaceFile } from '../../system/files/write-file.ts'
import { version } from '../../system/own-package.ts'

const lastReadsSchema = z.object({
  /** States of what the spec rested on, by path relative to the suite root. A slash at the end: what the folder holds. */
  files: z.record(z.string(), z.string()),
  /** Names of the programs of Node that were looked into. */
  programs: z.array(z.string()),
  /** Why nobody knows what else it rests on. */
  opaque: z.string().exactOptional(),
})
const fileSchema = z.object({ made: z.string(), specs: z.record(z.string(), lastReadsSchema) })

/** What a spec rested on when it ran last. */
export type LastReads = z.infer<typeof lastReadsSchema>

/** Another format, package or Node may know less, or look at other files. */
const made = `1 ${version()} ${process.version}`
const name = 'mdtest/rests-on.json'

/** @returns by path of the spec, relative to the suite root; `folder` of Vite's cache (absolute path) */
export function readLastReads(folder: string): Readonly<Record<string, LastReads>> {
  const file = orNothing(() => fileSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
  return file?.made === made ? file.specs : {}
}

/** Adds to what other runs wrote meanwhile. Where it fails, specs run once more than they need. Makes no `node_modules`. */
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

/** Tells the state of a path, relative to the root, as it was when it was asked for first. */
export type StateOf = (path: string) => string

/** `sinceMs`: of what has changed since then nobody knows which state a spec saw. */
export function openStates(root: string, sinceMs = Number.POSITIVE_INFINITY): StateOf {
  const known = new Map<string, string>()
  const read = (path: string): string => {
    const file = join(root, path)
    const stats = statsOf(file)
    const isFolder = stats?.isDirectory()
    if (stats === undefined || (isFolder && !path.endsWith('/'))) return isFolder ? 'folder' : 'absent'
    if (stats.mtimeMs >= sinceMs) return changing
    const content = orNothing(() => (isFolder ? readdirSync(file).toSorted().join('\0') : readFileSync(file)))
    return content === undefined ? 'unreadable' : createHash('sha256').update(content).digest('base64').slice(0, 16)
  }
  return (path) => {
    const state = known.get(path) ?? read(path)
    known.set(path, state)
    return state
  }
}

export const changing = 'changing'

/** The first path that is no longer as it was. */
export function findDifference({ files }: LastReads, stateOf: StateOf): string | undefined {
  return Object.keys(files).find((path) => files[path] !== stateOf(path) || files[path] === changing)
}
