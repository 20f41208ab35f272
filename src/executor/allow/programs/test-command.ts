import type { Given } from '../line/words.ts'
import { isVariableName } from '../variables.ts'
import type { Look } from './look.ts'

/**
 * `test` and `[` look at what they are given, but `-v` and `-R` evaluate a name: there a text becomes a command. So a word
 * that nobody knows may only stand where it cannot be an operator.
 */
export function lookOfTest(args: readonly Given[]): Look {
  const isKnown = args.every((arg, index) => {
    const before = args[index - 1]?.value
    if (before === '-v' || before === '-R') return arg.value !== undefined && isVariableName(arg.value)
    if (arg.value !== undefined || (args.length === 1 && arg.isOne)) return true
    return arg.isOne && (isOperator(before) || binary.has(args[index + 1]?.value ?? ''))
  })
  return isKnown
    ? { ok: true, paths: [] }
    : { ok: false, isEvaluated: true, why: 'put its variables into double quotes, and write its operators out' }
}

function isOperator(word: string | undefined): boolean {
  return word !== undefined && (binary.has(word) || /^-[a-zA-Z]$/.test(word))
}

const binary: ReadonlySet<string> = new Set('= == != < > -eq -ne -lt -le -gt -ge -nt -ot -ef =~'.split(' '))
