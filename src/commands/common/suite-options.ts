import { stripVTControlCharacters } from 'node:util'
import type { ResolvedOptions } from '../../plan/options/resolve-options.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { plainText } from '../../system/text/plain-text.ts'
import { SetUpError } from './set-up-error.ts'
import { messageOf } from '../../system/error-facts.ts'

/**
 * The options of the `mdtest()` in the configuration of a suite.
 * @param root absolute path of the suite root
 * @throws {SetUpError} if the configuration cannot be loaded.
 */
export async function suiteOptions(root: string): Promise<ResolvedOptions> {
  // Vitest is large; `--help` needs none of it.
  const { loadOptions } = await import('../../vitest/plugin/load-options.ts')
  try {
    return await loadOptions(root)
  } catch (error: unknown) {
    throw configurationError(root, error)
  }
}

/** What to throw where loading a configuration threw something. */
export function configurationError(root: string, error: unknown): SetUpError | MdtestError {
  if (error instanceof SetUpError || error instanceof MdtestError) return error
  const why = messageOf(error)
  return new SetUpError(
    `The Vitest configuration of ${root} cannot be loaded: ${plainText(stripVTControlCharacters(why))}`,
  )
}
