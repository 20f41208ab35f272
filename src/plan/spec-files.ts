import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listCopied } from '../scenario/workspace/list-copied.ts'
import { recordingFileOf } from '../spec/recording/recording.ts'
import { contextFilesOf } from './context-files.ts'
import { createIsSpec } from './is-spec.ts'
import type { SpecsConfig } from './specs-config.ts'

interface SpecPlaces extends ReadContext {
  readonly env: NodeJS.ProcessEnv
}

interface ReadContext extends Pick<SpecsConfig, 'options' | 'commandLine'> {
  readonly root: string
}

/** Absolute paths of what all specs below a root, tracked or not, are made of. */
export async function listSpecFiles({ env, ...context }: SpecPlaces): Promise<readonly string[]> {
  const { root, options } = context
  const isSpec = createIsSpec({ root, include: options.include })
  const { files } = await listCopied({ folder: root, env })
  return madeOf(files.map((file) => join(root, file)).filter(isSpec), context)
}

/** Keys of front matter and labels of plans by which a file brings others along. */
const includes = /^\s*["']?(?:include|prepend|append)\b|\bseed\b/im

/**
 * What specs are made of: the specs, what they include, directly or through others, or name as seeds, and where their
 * recordings and the files that say how the product is run are, or would be. Absolute paths.
 */
export async function madeOf(specs: readonly string[], context: ReadContext): Promise<readonly string[]> {
  const files = new Set(specs)
  for (const file of specs) {
    files.add(recordingFileOf(file))
    for (const each of contextFilesOf(file, context.root)) files.add(each)
    const text = await readFile(file, 'utf8').catch(() => '')
    if (!includes.test(text)) continue
    // Loaded where it is needed: most specs name no other.
    const { readSpec } = await import('./read-spec.ts')
    for (const each of readSpec(text, { file, ...context }).included.keys()) files.add(each)
  }
  return [...files]
}
