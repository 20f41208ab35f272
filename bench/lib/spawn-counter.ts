import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Counts starts of programs by wrappers that come first on a PATH. A round with it takes longer and is not timed.
 * @param {string} dir a temporary folder, in which the wrappers are put
 * @param {readonly string[]} names programs to count
 */
export async function createSpawnCounter(dir, names) {
  const folder = join(dir, 'counted-bin')
  const record = join(dir, 'spawned.txt')
  await mkdir(folder)
  for (const name of names) {
    const file = join(folder, name)
    // `echo` is built in: one short append, which several processes can do at once.
    await writeFile(file, `#!${find('sh')}\necho ${name} >>'${record}'\nexec '${find(name)}' "$@"\n`)
    await chmod(file, 0o755)
  }
  return {
    path: `${folder}${delimiter}${process.env.PATH}`,
    /** Starts by name since the last call. */
    async take() {
      const text = await readFile(record, 'utf8').catch(() => '')
      await rm(record, { force: true })
      const started = text.split('\n')
      return Object.fromEntries(names.map((name) => [name, started.filter((line) => line === name).length]))
    },
  }
}

function find(name) {
  const candidates = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
  const found = candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false // not there, or not for us
    }
  })
  if (found === undefined) throw new Error(`There is no \`${name}\` on PATH.`)
  return found
}
