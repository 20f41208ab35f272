import { basename } from 'node:path'
import { commandText, show } from './command-words.ts'
import { codeOption, interpreter } from './programs.ts'
import type { LineWord } from './read-line.ts'
import { literalWords, type Rule } from './rules.ts'
import { bashRule } from '../system/text/quoting.ts'

interface Surroundings {
  readonly matching: readonly Rule[]
  /** Whether a path names a file of the project that the agent cannot have written. */
  readonly isProjectFile: (path: string) => boolean
}

/**
 * Why a command that a rule allows would run code of the agent's own: an interpreter runs a file of the project only, with
 * options that the rule names. A rule can name code to the letter, too: `Bash(node -e *)`.
 */
export function interpretedProblem(
  name: string,
  args: readonly LineWord[],
  { matching, isProjectFile }: Surroundings,
): { readonly message: string; readonly rule?: string } | undefined {
  if (!interpreter.test(basename(name)) || matching.some((rule) => rule.isExact)) return undefined
  const named = new Set(matching.flatMap(literalWords))
  const shown = show(commandText(name, args))
  for (const { value, text, isPattern } of args) {
    if (value === undefined || isPattern)
      return { message: `${shown}: which file it runs cannot be known. Write the script out.` }
    const isNamed = named.has(text)
    if (value.startsWith('-') || value === 'eval') {
      if (isNamed && codeOption.test(value)) return undefined
      if (isNamed) continue
      const rule = `Bash(${name} ${value} *)`
      return {
        message: `${shown}: a rule has to name the option ${show(value)}: \`allow: [${JSON.stringify(rule)}]\`.`,
        rule,
      }
    }
    // A word of the tool itself: `deno run`.
    if (isNamed && !/[./]/.test(value)) continue
    return isProjectFile(value)
      ? undefined
      : { message: `${shown} would run ${show(text)}, which is no file of the project. Only the product is executed.` }
  }
  const rule = bashRule(name)?.replace(' *)', ')')
  return {
    message: `${shown}: name a script of the project. What is piped into it is code of your own.`,
    ...(rule !== undefined && { rule }),
  }
}
