import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pathBytes, type Entry, type FoundFile, lostContent, type FileStore } from './file-store.ts'
import { groundAt } from '../../../system/files/ground.ts'
import { makeFolder, replaceFile } from '../../../system/files/write-file.ts'
import { listAllFiles } from '../git/list-files.ts'

/**
 * Keeps copies of files, where there is no git.
 *
 * @param where.folder absolute path of a folder of ours
 */
export function createCopyStore({ root, folder }: { readonly root: string; readonly folder: string }): FileStore {
  const ground = groundAt(folder)
  const fileOf = (name: string): string => join(folder, `${name}.files.json`)
  const copyOf = (id: string): string => join(folder, 'copies', id)
  return {
    list: () => Promise.resolve(listAllFiles(root)),
    async put(files) {
      makeFolder(ground, join(folder, 'copies'))
      const entries: Entry[] = []
      for (const file of files) {
        const content = await contentOf(file, root)
        const id = idOf(content)
        if (!existsSync(copyOf(id))) replaceFile(ground, copyOf(id), { content, hasOneWriter: true })
        entries.push({ ...file, id })
      }
      return entries
    },
    async get(ids) {
      return new Map(await Promise.all(ids.map(async (id) => [id, await readCopy(copyOf(id), id)] as const))) // a pair
    },
    async save(name, entries) {
      replaceFile(ground, fileOf(name), { content: JSON.stringify(entries), isDurable: true, hasOneWriter: true })
    },
    load: async (name) => JSON.parse(await readFile(fileOf(name), 'utf8')) as readonly Entry[], // by `save`
    place: fileOf,
  }
}

function idOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

async function readCopy(file: string, id: string): Promise<Buffer> {
  const content = await readFile(file).catch(() => undefined)
  if (content === undefined || idOf(content) !== id) throw lostContent(file)
  return content
}

async function contentOf({ path, mode }: FoundFile, root: string): Promise<Buffer> {
  const bytes = pathBytes(root, path)
  return mode === '120000' ? await readlink(bytes, { encoding: 'buffer' }) : await readFile(bytes)
}
