import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { discoverSpecs } from '../run/find-specs.ts'
import { SetUpError } from '../set-up-error.ts'
import { addPlugin } from './add-plugin.ts'
import { exampleName, exampleSpec, linesToAdd, newConfig } from './contents.ts'
import { findConfig, newConfigName } from './find-config.ts'
import { describeFileError } from '../../shared/describe-file-error.ts'

/** A file as it is and as it is to be. */
export interface Change {
  /** Absolute path. */
  readonly file: string
  /** Absent where there is no such file. */
  readonly before?: string
  readonly after: string
}

/**
 * What is to be done in a directory; nothing that is done already.
 * @throws {SetUpError} if the configuration cannot be changed.
 */
export async function planChanges(dir: string, manifest: { readonly isModule: boolean }): Promise<readonly Change[]> {
  const changes = [await planConfig(dir, manifest), await planExample(dir), await planIgnore(dir)]
  return changes.filter((change) => change !== undefined)
}

/** @throws {SetUpError} if a file cannot be written. */
export async function make({ file, before, after }: Change): Promise<void> {
  try {
    // A new file never takes the place of one that came in between.
    await writeFile(file, after, before === undefined ? { flag: 'wx' } : {})
  } catch (error: unknown) {
    throw new SetUpError(`\`${file}\` cannot be written: ${describeFileError(error)}`)
  }
}

async function planConfig(dir: string, manifest: { readonly isModule: boolean }): Promise<Change | undefined> {
  const found = await findConfig(dir)
  if (found === undefined) return { file: join(dir, await newConfigName(dir, manifest)), after: newConfig }
  const name = relative(dir, found)
  if (name.startsWith('..')) {
    throw new SetUpError(
      `Vitest takes its configuration from \`${name}\` here. Begin there: \`mdtest init --dir ${relative(dir, join(found, '..'))}\`.`,
    )
  }
  const before = (await readIfThere(found)) ?? ''
  const addition = addPlugin(before)
  if (addition.kind === 'added') return { file: found, before, after: addition.text }
  if (addition.kind === 'present') return undefined
  throw new SetUpError(
    `\`${name}\` has a form that \`mdtest init\` cannot change safely, so nothing was done. Add to it yourself, then run this again:\n\n${linesToAdd}`,
  )
}

async function planExample(dir: string): Promise<Change | undefined> {
  const specs = await discoverSpecs(dir)
  return specs.length > 0 ? undefined : { file: join(dir, exampleName), after: exampleSpec }
}

const ignored = '*.logs/'
const alike: readonly string[] = [ignored, '*.logs', '**/*.logs/', '**/*.logs']

async function planIgnore(dir: string): Promise<Change | undefined> {
  const file = join(dir, '.gitignore')
  const before = await readIfThere(file)
  if (before === undefined) return { file, after: `${ignored}\n` }
  if (before.split(/\r?\n/).some((line) => alike.includes(line.trim()))) return undefined
  const lineBreak = before.includes('\r\n') ? '\r\n' : '\n'
  const gap = before === '' || before.endsWith('\n') ? '' : lineBreak
  return { file, before, after: `${before}${gap}${ignored}${lineBreak}` }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error: unknown) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new SetUpError(`\`${file}\` cannot be read: ${describeFileError(error)}`)
  }
}
