import { existsSync } from 'node:fs'
import { chmod, lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { groundAt } from '../../../system/files/ground.ts'
import { replaceFile } from '../../../system/files/write-file.ts'
import type { GitPlace } from './git.ts'

/** What a repository is told to do: its settings, hooks, and rules that are no files of the project. */
export interface GitSettings {
  /** Keeps them as they are, under a name. */
  take(name: string): Promise<void>
  /** Makes them what they were. Names of those that had changed, for example `.git/config`; none where nothing is known. */
  putBack(name: string): Promise<readonly string[]>
}

/** Relative to the folder of git; in a linked work tree some are in its own, some in that of the repository. */
const names = [
  ...['config', 'config.worktree', 'commondir', 'gitdir', 'shallow', 'objects/info/alternates'],
  ...['info/exclude', 'info/attributes', 'info/grafts', 'info/sparse-checkout'],
]

const keptSchema = z.record(z.string(), z.object({ base64: z.string(), mode: z.int() }))
type Kept = z.infer<typeof keptSchema>
/** In the folder of git, because settings may hold secrets. It is read after a crash. */
const fileSchema = z.object({ name: z.string(), kept: keptSchema })

/** @param refPrefix for example `refs/mdtest/abc` */
export function createGitSettings({ gitDir, commonDir, workTree }: GitPlace, refPrefix: string): GitSettings {
  const folders = [...new Set([gitDir, commonDir])]
  const ground = groundAt(gitDir)
  const file = join(gitDir, `${refPrefix.replaceAll('/', '-')}-settings.json`)
  /** In memory, too: an agent may rewrite our files. */
  let newest: z.infer<typeof fileSchema> | undefined
  return {
    async take(name) {
      newest = { name, kept: await readSettings(folders) }
      replaceFile(ground, file, { content: JSON.stringify(newest), mode: 0o600, isDurable: true, hasOneWriter: true })
    },
    async putBack(name) {
      const last = newest ?? (await readKept(file))
      if (last?.name !== name) return []
      const now = await readSettings(folders)
      const changed = [...new Set([...Object.keys(last.kept), ...Object.keys(now)])].filter(
        (each) => last.kept[each]?.base64 !== now[each]?.base64 || last.kept[each]?.mode !== now[each]?.mode,
      )
      for (const each of changed) await putFileBack(each, last.kept[each])
      await rm(file, { force: true })
      return changed.map((each) => relative(workTree, each)).toSorted()
    },
  }
}

/** No permissions: a symbolic link. */
const linkMode = -1

async function putFileBack(file: string, kept: Kept[string] | undefined): Promise<void> {
  // Not written through a link.
  await rm(file, { recursive: true, force: true })
  if (kept === undefined) return
  const content = Buffer.from(kept.base64, 'base64')
  await mkdir(dirname(file), { recursive: true })
  if (kept.mode === linkMode) return await symlink(content, file)
  await writeFile(file, content)
  await chmod(file, kept.mode)
}

async function readSettings(folders: readonly string[]): Promise<Kept> {
  const kept: Kept = {}
  for (const folder of folders) {
    const hooks = await readdir(join(folder, 'hooks')).catch(() => [])
    const own = hooks.filter((name) => !name.endsWith('.sample')).map((name) => `hooks/${name}`)
    for (const file of [...names, ...own].map((name) => join(folder, name))) {
      const stats = await lstat(file).catch(() => undefined)
      const isLink = stats?.isSymbolicLink() === true
      if (stats === undefined || (!isLink && !stats.isFile())) continue
      const content = isLink ? await readlink(file, { encoding: 'buffer' }) : await readFile(file)
      kept[file] = { base64: content.toString('base64'), mode: isLink ? linkMode : stats.mode & 0o777 }
    }
  }
  return kept
}

async function readKept(file: string): Promise<z.infer<typeof fileSchema> | undefined> {
  return existsSync(file) ? fileSchema.parse(JSON.parse(await readFile(file, 'utf8'))) : undefined
}
