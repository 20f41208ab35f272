import { specsGlob } from '../../system/spec-endings.ts'
import { MdtestError } from '../../system/mdtest-error.ts'

export const defaultInclude: readonly string[] = ['**/*.test.md']

/** All markdown and feature files: the default of `include` for `mdtest run --agent browser`. */
export const plainInclude: readonly string[] = [specsGlob]

/** Files that may have been specs of an earlier run, whatever its `include` was. Those with logs were. */
export const whateverRan: readonly string[] = [...plainInclude]

/** Checks the option `dir` of a reporter. @throws {MdtestError} `OPTION_INVALID` */
export function checkReportDir({ dir }: { readonly dir?: unknown }): string | undefined {
  if (dir === undefined || (typeof dir === 'string' && dir !== '')) return dir
  const got = `${JSON.stringify(dir)} (${typeof dir})`
  throw new MdtestError('OPTION_INVALID', `The option \`dir\` of the reporter is a path, got ${got}.`)
}
