import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { discoverSpecs } from '../common/find-specs.ts'
import { SetUpError } from '../common/set-up-error.ts'
import { exampleName, exampleSpec } from './contents.ts'
import { chooseRunner, planConfig } from './plan-config.ts'
import { readIfThere, type Change } from './read-if-there.ts'
import type { Manifest } from './read-manifest.ts'
import type { Runner } from './runners.ts'
import { describeFileError } from '../../system/files/describe-file-error.ts'

/** What is to be done, and which runner the specs are for: none where there is no project of Node.js. */
export interface InitPlan {
  /** Nothing that is done already. */
  readonly changes: readonly Change[]
  readonly runner: Runner | undefined
}

/**
 * Plans what is to be done in a directory.
 * @throws {SetUpError} if the configuration cannot be changed.
 */
export async function planChanges(dir: string, manifest: Manifest): Promise<InitPlan> {
  const runner = await chooseRunner(dir, manifest)
  const changes = [await planConfig(dir, { runner, manifest }), await planExample(dir), await planIgnore(dir)]
  return { changes: changes.filter((change) => change !== undefined), runner }
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
