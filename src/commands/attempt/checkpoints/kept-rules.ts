import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { groundAt } from '../../../system/files/ground.ts'
import { makeFolder, replaceFile } from '../../../system/files/write-file.ts'
import type { Git } from '../git/git.ts'

/** What git ignores besides what `.gitignore` files say. */
export interface KeptRules {
  /** Absolute path of a file with the rules as they were at first. */
  file(): Promise<string>
}

/**
 * Keeps `info/exclude` and `core.excludesFile` as they are when work begins: they are no files of the project, so an agent
 * could hide files by a change of them, and no checkpoint would notice.
 *
 * @param where.root absolute path of a folder of the work tree
 * @param where.folder absolute path of a folder of ours
 */
export function keepRules(
  git: Git,
  { root, folder, env }: { root: string; folder: string; env: Readonly<Record<string, string | undefined>> },
): KeptRules {
  const ground = groundAt(folder)
  const file = join(folder, 'ignore-rules')
  let rules: string | undefined
  return {
    async file() {
      rules ??= (await readText(file)) ?? (await currentRules(git, { root, env }))
      makeFolder(ground, folder)
      replaceFile(ground, file, rules)
      return file
    },
  }
}

/** The repository's own come last: the last rule that fits decides. */
async function currentRules(
  git: Git,
  { root, env }: { root: string; env: Readonly<Record<string, string | undefined>> },
): Promise<string> {
  const ask = async (...args: string[]): Promise<string> =>
    (await git(args).catch(() => Buffer.from(''))).toString().trim()
  const configHome = env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? homedir(), '.config') // empty is unset
  const common = (await ask('config', '--type=path', '--get', 'core.excludesFile')) || join(configHome, 'git/ignore')
  const own = await ask('rev-parse', '--git-path', 'info/exclude')
  const texts = await Promise.all([common, own].map((path) => readText(resolve(root, path))))
  return texts.map((text) => `${text ?? ''}\n`).join('')
}

async function readText(file: string): Promise<string | undefined> {
  return await readFile(file, 'utf8').catch(() => undefined)
}
