import { lstat, mkdir, readdir, stat, symlink } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { inParallel } from '../../system/in-parallel.ts'

interface SurroundingsInput {
  readonly env: NodeJS.ProcessEnv
  /** Makes an empty private directory. */
  makeFolder(): Promise<string>
}

/** So deep folders of the home are looked into: those of programs, and what these keep in them. */
const maxDepth = 2
/** With more entries than this nobody waits for a look at all of them: further folders are taken as they are. */
const maxEntries = 20_000

/**
 * The environment as it was before the agent began: HOME and the folders of PATH without what was added or changed in them
 * since. What has to be there for a step to pass was made by the step, or by nobody.
 *
 * @param sinceMs milliseconds since 1970
 */
export async function surroundingsBefore(
  sinceMs: number,
  { env, makeFolder }: SurroundingsInput,
): Promise<NodeJS.ProcessEnv> {
  const { HOME, PATH } = env
  let count = 0
  const room = { entries: maxEntries }
  let base: Promise<string> | undefined
  const newFolder = async (): Promise<string> => {
    base ??= makeFolder()
    // Several are made at once: each has its number before it waits.
    const name = String((count += 1))
    const folder = join(await base, name)
    await mkdir(folder)
    return folder
  }
  const before = (depth: number) => (folder: string) =>
    folder === '' || !isAbsolute(folder)
      ? Promise.resolve(folder)
      : folderBefore(folder, { sinceMs, depth, newFolder, room })
  const [home, path] = await Promise.all([
    HOME === undefined ? undefined : before(maxDepth)(HOME),
    PATH === undefined ? undefined : inParallel(PATH.split(delimiter), { run: before(0) }),
  ])
  return { ...env, ...(home !== undefined && { HOME: home }), ...(path && { PATH: path.join(delimiter) }) }
}

interface LookBack {
  readonly sinceMs: number
  /** How many folders deep to look. */
  readonly depth: number
  newFolder(): Promise<string>
  /** How many entries may still be looked at. */
  readonly room: { entries: number }
}

/** The folder itself where nothing in it is newer; else one with links to what is older. */
async function folderBefore(folder: string, look: LookBack): Promise<string> {
  const names = await readdir(folder).catch(() => [])
  const { newFolder, room } = look
  if (names.length > room.entries) return folder
  room.entries -= names.length
  const found = await inParallel(names, {
    run: async (name) => ({ name, place: await placeBefore(join(folder, name), look) }),
  })
  if (found.every(({ name, place }) => place === join(folder, name))) return folder
  const target = await newFolder()
  await inParallel(found, {
    run: async ({ name, place }) => {
      if (place !== undefined) await symlink(place, join(target, name))
    },
  })
  return target
}

/** Where an entry is as it was; `undefined` for one that is new, or another one than before. */
async function placeBefore(path: string, look: LookBack): Promise<string | undefined> {
  try {
    const own = await lstat(path)
    // A folder is newer by each entry that comes or goes.
    if (own.isDirectory() && look.depth > 0) return await folderBefore(path, { ...look, depth: look.depth - 1 })
    const meant = own.isSymbolicLink() ? await stat(path).catch(() => own) : own
    return !own.isDirectory() && Math.max(own.ctimeMs, meant.ctimeMs) >= look.sinceMs && !meant.isDirectory()
      ? undefined
      : path
  } catch {
    return undefined
  }
}
