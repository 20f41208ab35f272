import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listCopied } from '../scenario/workspace/list-copied.ts'
import { createIsSpec } from './is-spec.ts'
import { readIncludedIn } from './read-included.ts'

interface SpecPlaces {
  /** Absolute path of the suite root. */
  readonly root: string
  /** Globs relative to it. */
  readonly include: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/** Absolute paths of all specs below a root, tracked or not, and of what they include. */
export async function listSpecFiles({ root, include, env }: SpecPlaces): Promise<readonly string[]> {
  const isSpec = createIsSpec({ root, include })
  const { files } = await listCopied({ folder: root, env })
  return withIncluded(files.map((file) => join(root, file)).filter(isSpec), root)
}

/** Keys of front matter by which a file brings others along. */
const includes = /^\s*["']?(?:include|prepend|append)\b/m

/** Adds the files that specs include, directly or through others. Absolute paths. */
export async function withIncluded(specs: readonly string[], root: string): Promise<readonly string[]> {
  const files = new Set(specs)
  for (const file of specs) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (!includes.test(text)) continue
    // Loaded where it is needed: most specs include nothing.
    const { parseSpec } = await import('../spec/parse-spec.ts')
    for (const each of parseSpec(text, { file, readIncluded: readIncludedIn(root) }).included.keys()) files.add(each)
  }
  return [...files]
}
