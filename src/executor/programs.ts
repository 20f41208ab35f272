import { basename } from 'node:path'
import { commandText, show } from './command-words.ts'
import type { LineWord } from './read-line.ts'
import { literalWords, type Rule } from './rules.ts'
import { bashRule } from '../system/text/quoting.ts'

/** What a command that needs no rule may have as words besides names of files. */
export interface Looker {
  /** What every option looks like; others need a rule. Default: any that does not name a file elsewhere. */
  readonly options?: RegExp
  /** Whether its other words are no names of files. */
  readonly isWithoutFiles?: true
}

const withoutFiles: Looker = { isWithoutFiles: true }

/** Programs that only look: they need no rule in the folders of the scenario, and prove nothing. */
export const lookers: ReadonlyMap<string, Looker> = new Map<string, Looker>([
  ...['cat', 'cmp', 'diff', 'grep', 'head', 'jq', 'ls', 'nl', 'od', 'readlink', 'stat', 'tail', 'wc'].map(
    (name) => [name, {}] as const,
  ),
  ['cut', {}],
  ['sort', { options: /^-[bcdfghiknrstuVwz\d,.]+$/ }],
  ['uniq', { options: /^-[cdiu]+$/, isWithoutFiles: true }],
  ['tr', withoutFiles],
  ['find', { options: /^-(?:name|iname|path|not|type|maxdepth|mindepth|newer|size|empty|print|o|a)$/ }],
  ['date', { options: /^-(?:u|I\w*)$/, isWithoutFiles: true }],
  ['which', withoutFiles],
  ...['echo', 'basename', 'dirname', 'pwd', 'seq'].map((name) => [name, withoutFiles] as const),
  ['printf', { options: /^-$/, isWithoutFiles: true }],
])

/** Commands that print nothing and need no rule. `[` and `test` look at what is there. */
export const silentCommands: ReadonlyMap<string, Looker> = new Map<string, Looker>([
  ...['true', 'false', ':', 'sleep', 'wait', 'jobs', 'exit', 'break', 'continue'].map(
    (name) => [name, withoutFiles] as const,
  ),
  // `-v` and `-R` would evaluate the name of a variable.
  ...['test', '['].map((name) => [name, { options: /^-(?:[^vR]|\w\w)$/, isWithoutFiles: true }] as const),
  ['cd', { options: /^-P$/ }],
  ['read', { options: /^-r$/, isWithoutFiles: true }],
  ['kill', { options: /^-(?:[A-Z]+|\d+)$/, isWithoutFiles: true }],
  ['set', { options: /^-o$/, isWithoutFiles: true }],
])

/** Commands that write where the agent may write, with the options that name no other place. */
export const writers: ReadonlyMap<string, { readonly options: RegExp; readonly reads?: true }> = new Map([
  ['mkdir', { options: /^-[pv]+$/ }],
  ['touch', { options: /^-c$/ }],
  ['rm', { options: /^-[rRfv]+$/ }],
  ['rmdir', { options: /^-p$/ }],
  ['tee', { options: /^-a$/ }],
  ['mv', { options: /^-[fnv]+$/ }],
  ['cp', { options: /^-[afrRpPLnv]+$/, reads: true }],
])

/** Programs that run code: the script has to be a file of the project, and each option before it named by the rule. */
export const interpreter = /^(?:node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|lua|bash|sh|dash|zsh|ksh)$/

/** Options behind which code of the agent's own stands. */
export const codeOption = /^(?:-[a-zA-Z]*[ecpmr]|--(?:eval|print)|eval)$/

/** Programs that keep lines as they are, pick parts of them, or count. */
export const keepers = /^(?:cat|cut|grep|head|pwd|seq|sort|tail|uniq|wc)$/

/** Programs that run another one, which their words name in ways of their own. */
export const starters = /^(?:env|parallel|setsid|stdbuf|sudo|watch|xargs)$/

/** Programs that give what others printed, or what they are given, another form, or know what the machine is like. */
const others =
  'git svn sed awk gawk mawk find jq yq less more rev tac paste column comm join fold fmt base64 xxd od strings bc expr dc yes rg ag fd tree id whoami uname hostname ps top df du file locale man history'

/** Programs whose output proves nothing, whatever rule names them: they look, print, filter, or rewrite. */
export const proveNothing: ReadonlySet<string> = new Set([...lookers.keys(), ...others.split(' ')])

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
