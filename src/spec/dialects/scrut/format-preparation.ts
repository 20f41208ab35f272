import type { BlockAttributes } from '../../spec.ts'
import type { CaseConfig, Wait } from './read-case-config.ts'
import { singleQuoted } from '../../../system/text/quote-word.ts'

/** What has to be done before a test case, in bash; `undefined` where that is nothing. */
export function formatPreparation({
  environment = {},
  wait,
}: CaseConfig): { readonly code: string; readonly limit: Pick<BlockAttributes, 'timeoutMs'> } | undefined {
  const lines = [
    ...Object.entries(environment).map(([name, value]) => formatVariable(name, value)),
    ...(wait === undefined || wait.timeoutMs === 0 ? [] : [formatWait(wait)]),
  ]
  if (lines.length === 0) return undefined
  // A loop of short pauses takes longer than their sum.
  return { code: lines.join('\n'), limit: wait === undefined ? {} : { timeoutMs: 2 * wait.timeoutMs + 10_000 } }
}

/** In scrut the state of the case before outranks the environment. */
function formatVariable(name: string, value: string): string {
  return `[[ -n \${${name}+x} ]] || ${name}=${singleQuoted(value)}; export ${name}`
}

const pauseMs = 50

/** A path ends the wait early, and that it is not there in time is no failure. */
function formatWait({ timeoutMs, path }: Wait): string {
  if (path === undefined) return `command sleep ${timeoutMs / 1000}`
  const target = path.startsWith('/') ? singleQuoted(path) : `"$TMPDIR"/${singleQuoted(path)}`
  const pause = `[[ -e ${target} ]] && break; command sleep ${pauseMs / 1000}`
  return `(for ((n = 0; n < ${Math.ceil(timeoutMs / pauseMs)}; n++)); do ${pause}; done)`
}
