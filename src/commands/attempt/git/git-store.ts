import { createHash } from 'node:crypto'
import { mkdir, readlink, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathBytes, type Entry, type FoundFile, lostContent, type FileStore } from '../checkpoints/file-store.ts'
import type { Git } from './git.ts'
import { keepRules } from '../checkpoints/kept-rules.ts'
import { listGitFiles, listIgnoredFolders, type ListContext } from './list-files.ts'

/** Where a store of git's puts what. */
export interface GitStoreOptions extends Omit<ListContext, 'rules' | 'known' | 'ignored'> {
  readonly git: Git
  /** The same with the settings of the user. */
  readonly userGit: Git
  /** Absolute path of a folder of ours. */
  readonly folder: string
  /** For example `refs/mdtest/abc`. */
  readonly refPrefix: string
}

/**
 * Keeps files as objects of git, byte for byte without its filters, and checkpoints as trees under refs of our own. The
 * user's index, branches and HEAD are neither read nor written.
 */
export function createGitStore({ git, userGit, folder, refPrefix, root, env }: GitStoreOptions): FileStore {
  const refOf = (name: string): string => `${refPrefix}/${name}`
  const rules = keepRules(userGit, { root, folder, env })
  /** As they were before anybody worked. */
  let ignored: ReadonlySet<string> | undefined
  /** Checkpoints of this process, in memory: an agent can move a ref. */
  const trees = new Map<string, string>()
  return {
    async list(known) {
      ignored ??= await listIgnoredFolders(git, rules)
      return await listGitFiles(git, { root, env, rules, known, ignored })
    },
    put: (files) => put(files, { git, root, folder: join(folder, 'links') }),
    get: (ids) => get(ids, git),
    async save(name, entries) {
      const index = join(folder, 'index')
      await mkdir(folder, { recursive: true })
      await rm(index, { force: true })
      const lines = entries.map(({ mode, id, path }) => `${mode} ${id}\t${path}\0`).join('')
      await git(['update-index', '-z', '--index-info'], { stdin: Buffer.from(lines, 'latin1'), index })
      const tree = (await git(['write-tree'], { index })).toString().trim()
      await git(['update-ref', refOf(name), tree])
      trees.set(name, tree)
      await rm(index, { force: true })
    },
    load: async (name) => parseTree(await git(['ls-tree', '-r', '-z', '--full-tree', trees.get(name) ?? refOf(name)])),
    place: refOf,
  }
}

async function put(
  files: readonly FoundFile[],
  { git, root, folder }: { readonly git: Git; readonly root: string; readonly folder: string },
): Promise<readonly Entry[]> {
  if (files.length === 0) return []
  await mkdir(folder, { recursive: true })
  const paths = await Promise.all(
    files.map(async ({ path, mode }, index) => {
      if (mode !== '120000') return pathBytes(root, path)
      // git would follow it.
      const copy = join(folder, String(index))
      await writeFile(copy, await readlink(pathBytes(root, path), { encoding: 'buffer' }))
      return Buffer.from(copy)
    }),
  )
  const stdin = paths.map((path) => `${quote(path)}\n`).join('')
  const ids = (await git(['hash-object', '-w', '--no-filters', '--stdin-paths'], { stdin })).toString().split('\n')
  await rm(folder, { recursive: true, force: true })
  return files.map((file, index) => ({ ...file, id: ids[index] ?? '' }))
}

/** As C has it: any byte may be in a name, also a line feed. */
function quote(path: Buffer): string {
  const escaped = [...path].map((byte) => {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c
    return isPlain ? String.fromCodePoint(byte) : `\\${byte.toString(8).padStart(3, '0')}`
  })
  return `"${escaped.join('')}"`
}

async function get(ids: readonly string[], git: Git): Promise<ReadonlyMap<string, Buffer>> {
  const contents = new Map<string, Buffer>()
  if (ids.length === 0) return contents
  const output = await git(['cat-file', '--batch'], { stdin: ids.map((id) => `${id}\n`).join('') })
  let at = 0
  for (const id of ids) {
    const lineEnd = output.indexOf('\n', at)
    const size = Number(output.toString('latin1', at, lineEnd).split(' ')[2] ?? Number.NaN)
    const content = output.subarray(lineEnd + 1, lineEnd + 1 + size)
    if (Number.isNaN(size) || idOf(content, id) !== id) throw lostContent(`the object ${id} of git`)
    contents.set(id, content)
    at = lineEnd + 1 + size + 1
  }
  return contents
}

/** Checks content by the hash that git names it by: an agent can write anything into a file of git. */
function idOf(content: Buffer, id: string): string {
  const hash = createHash(id.length === 40 ? 'sha1' : 'sha256')
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex')
}

function parseTree(output: Buffer): readonly Entry[] {
  const lines = output.toString('latin1').split('\0').filter(Boolean)
  return lines.map((line) => {
    const tab = line.indexOf('\t')
    const [mode, , id = ''] = line.slice(0, tab).split(' ')
    return { mode: mode as Entry['mode'], id, path: line.slice(tab + 1) } // only such were saved
  })
}
