import { judgeLine } from './judge-line.ts'
import { show, type Judging, type PermitOptions, type Refusal } from './judging.ts'
import { LineFiles } from './line-files.ts'
import { readLine } from './line/read-line.ts'
import { Scope, type Values } from './line/scope.ts'
import { readRules } from './rules.ts'

export type { PermitOptions } from './judging.ts'

/** Whether a command line may run. */
export type Permission =
  | {
      readonly ok: true
      /** Absolute paths that the line writes, as far as they are known. */
      readonly written: readonly string[]
    }
  | ({ readonly ok: false } & Refusal)

/**
 * Judges one command line of bash. Each command in it has to match a rule as Claude Code's own, or only look at files of
 * the scenario. What makes quotes worthless (code and programs of the agent's own, files written past the product, anything
 * that changes what later commands mean) is refused unless a rule names it to the letter. Never throws.
 */
export function permit(line: string, options: PermitOptions): Permission {
  const read = readLine(line)
  if (!read.ok) {
    const end = line.slice(read.at).trim()
    const rest = end === '' ? 'the end' : show(end)
    const place = read.at === undefined ? '' : ` at character ${read.at + 1}, before ${rest}`
    return {
      ok: false,
      message: `The command line cannot be judged: ${read.problem}${place}. Write it in another way.`,
    }
  }
  let refusal: Refusal | undefined
  const rules = readRules([...options.allow, ...(options.dangerouslyAllowAllActions ? ['Bash'] : [])])
  const whole = rules.find((rule) => rule.isExact && rule.matches(line.trim()))
  const files = new LineFiles(options)
  const judging: Judging = {
    options,
    rules,
    ...(whole !== undefined && { whole }),
    refuse: (message, rule) => (refusal ??= { message, ...(rule !== undefined && { rule }) }),
    files,
  }
  try {
    judgeLine(judging, read.script, new Scope([options.cwd], variablesOf(options)))
  } catch (error) {
    return {
      ok: false,
      message: `The command line cannot be judged: ${error instanceof RangeError ? 'it is nested too deeply' : String(error)}.`,
    }
  }
  if (refusal !== undefined) return { ok: false, ...refusal }
  const written = files.settle()
  return typeof written === 'string' ? { ok: false, message: written } : { ok: true, written }
}

function variablesOf({ variables = {} }: PermitOptions): ReadonlyMap<string, Values> {
  return new Map(Object.entries(variables).map(([name, value]) => [name, [value]]))
}
