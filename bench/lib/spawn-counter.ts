import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface SpawnCounter {
  /** PATH with the counting wrappers */
  readonly path: string
  /** Returns the number of starts since the last call, by program. */
  take(): Promise<Readonly<Record<string, number>>>
}

/**
 * Counts starts of programs with wrappers that come first in PATH. They cost time, so do not time such a round.
 * @param dir a temporary folder for the wrappers
 * @param names programs to count
 */
export async function createSpawnCounter(dir: string, names: readonly string[]): Promise<SpawnCounter> {
  const folder = join(dir, 'counted-bin')
  const record = join(dir, 'spawned.txt')
  await mkdir(folder)
  for (const name of names) {
    const file = join(folder, name)
    // `echo` is a builtin: a single short append, which is safe if several processes do it at once.
    await writeFile(file, `#!${find('sh')}\necho ${name} >>'${record}'\nexec '${find(name)}' "$@"\n`)
    await chmod(file, 0o755)
  }
  return {
    path: `${folder}${delimiter}${process.env.PATH}`,
    async take() {
      const text = await readFile(record, 'utf8').catch(() => '')
      await rm(record, { force: true })
      const started = text.split('\n')
      return Object.fromEntries(names.map((name) => [name, started.filter((line) => line === name).length]))
    },
  }
}

function find(name: string): string {
  const candidates = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
  const found = candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false // missing or not executable
    }
  })
  if (found === undefined) throw new Error(`There is no \`${name}\` on PATH.`)
  return found
}
