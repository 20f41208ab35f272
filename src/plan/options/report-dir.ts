import { MdtestError } from '../../system/mdtest-error.ts'

/**
 * The option `dir` of a reporter.
 * @throws {MdtestError} `OPTION_INVALID`
 */
export function checkReportDir({ dir }: { readonly dir?: unknown }): string | undefined {
  if (dir === undefined || (typeof dir === 'string' && dir !== '')) return dir
  const got = `${JSON.stringify(dir)} (${typeof dir})`
  throw new MdtestError('OPTION_INVALID', `The option \`dir\` of the reporter is a path, got ${got}.`)
}
