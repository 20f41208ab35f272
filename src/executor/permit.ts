import { resolve } from 'node:path'
import { realPathOf } from '../system/files/ground.ts'
import { commandText, rulesOf, show, textOf, unwrap } from './command-words.ts'
import { interpretedProblem, lookers, silentCommands, writers, type Looker } from './programs.ts'
import { directoriesOf, isFolder } from './directories.ts'
import { readLine, type LineCommand, type LineRedirect, type LineVariable, type LineWord } from './read-line.ts'
import { literalWords, readRules, type Rule } from './rules.ts'
import { isInside, statsOf } from '../system/files/paths.ts'
import { bashRule } from '../system/text/quoting.ts'

export interface PermitOptions {
  /** Rules as Claude Code's: `Bash(npm *)`, `Bash(npm run test:*)`, `Bash(git status)`. Others say nothing here. */
  readonly allow: readonly string[]
  /** Absolute paths of the directories in which the shell may be. */
  readonly directories: readonly string[]
  /** Absolute path of the directory in which the scenario began: a relative file in a rule is a file of it. */
  readonly home: string
  /** Absolute paths of folders and files that commands may look at without a rule. */
  readonly roots: readonly string[]
  /** Absolute path of the folder for files of the agent's own, which is `$MDTEST_SCRATCH`. */
  readonly scratchDir?: string
  /** Whether the agent may write a file (absolute path). */
  readonly isWritable: (file: string) => boolean
  /** Whether the agent may have written a file (absolute path), which is no product then. */
  readonly isOwn: (file: string) => boolean
  /** Names of variables that programs of the line read: the line sets none of them. */
  readonly environment: ReadonlySet<string>
}

/** Whether a command line may run. */
export type Permission =
  | {
      readonly ok: true
      readonly written: readonly string[]
      readonly isAction: boolean
    }
  | {
      readonly ok: false
      /** What is refused, why, and what would do. */
      readonly message: string
      /** The line of `allow` that would permit it, where one can. */
      readonly rule?: string
    }

/**
 * Judges a command line of bash. Lists, pipes, groups, loops and substitutions are free: each simple command in them has to
 * match a rule, or to be one that only looks at files of the scenario, or that writes where the agent may write. Words are
 * literal, but for arguments of commands that a rule allows. Never throws.
 */
export function permit(line: string, options: PermitOptions): Permission {
  const { scratchDir, allow } = options
  const read = readLine(line, scratchDir === undefined ? {} : { MDTEST_SCRATCH: scratchDir })
  const rules = readRules(allow)
  const isWhole = rules.some((rule) => rule.isExact && rule.matches(line.trim()))
  if (!read.ok) return isWhole ? { ok: true, written: [], isAction: true } : { ok: false, message: read.problem }
  const judge = new LineJudge(read.commands, { ...options, rules: isWhole ? [] : rules })
  if (isWhole) return { ok: true, written: judge.written, isAction: true }
  for (const command of read.commands) {
    const refusal = judge.refusalOf(command)
    if (refusal !== undefined) return { ok: false, ...(typeof refusal === 'string' ? { message: refusal } : refusal) }
  }
  return { ok: true, written: judge.written, isAction: judge.isAction }
}

type Refusal = string | { readonly message: string; readonly rule?: string } | undefined

class LineJudge {
  readonly written: string[] = []
  isAction = false
  readonly #options: PermitOptions & { readonly rules: readonly Rule[] }
  readonly #directoriesOf: (command: LineCommand) => readonly string[]
  /** Absolute paths of the directories in which the command that is judged may run. */
  #directories: readonly string[] = []
  readonly #roots: readonly string[]

  constructor(commands: readonly LineCommand[], options: PermitOptions & { readonly rules: readonly Rule[] }) {
    this.#options = options
    this.#directoriesOf = directoriesOf(commands, options.directories)
    this.#roots = options.roots.map(realPathOf)
  }

  refusalOf(command: LineCommand): Refusal {
    const { words, variables, redirects } = command
    this.#directories = this.#directoriesOf(command)
    const redirected = redirects.map((each) => this.#redirectProblem(each)).find((problem) => problem !== undefined)
    if (redirected !== undefined) return redirected
    const inner = unwrap(words)
    const [program, ...args] = inner
    if (program === undefined) return this.#variableProblem(variables)
    if (program.value === undefined || program.isPattern || program.value === '') {
      return `Which program ${show(program.text)} is cannot be known. Write its name out.`
    }
    const name = program.value
    const full = [...variables.map(({ text }) => text), textOf(words)].join(' ')
    const { home, rules } = this.#options
    const matching = rulesOf(command, rules, { home, directories: this.#directories })
    const isRead = name === 'read' && variables.every(({ text }) => text === 'IFS=')
    const isUnruled = variables.length === 0 || isRead
    const looker = isUnruled ? (lookers.get(name) ?? silentCommands.get(name)) : undefined
    const look = looker && this.#lookProblem(name, args, looker)
    if (look === 'fine') return undefined
    if (look !== undefined && look !== 'options') return look
    this.isAction = true
    if (matching.length > 0) return this.#ruledProblem(name, args, { command, matching })
    const writer = isUnruled ? writers.get(name) : undefined
    if (writer !== undefined) return this.#writeProblem(name, args, writer)
    if (rules.some((rule) => rule.matches(full))) {
      return `${show(full)} would run another file here than the one that the rule means. Run it in ${home}.`
    }
    return this.#unruled(full)
  }

  /** `options`: only a rule can allow its options. */
  #lookProblem(
    name: string,
    args: readonly LineWord[],
    { options = /^-/, isWithoutFiles }: Looker,
  ): Refusal | 'fine' | 'options' {
    if (name === 'cd' && args.length !== 1) return '`cd` needs the name of one folder.'
    if (name === 'set' && args[1]?.value !== 'pipefail') return 'options'
    if (name === 'kill' && args.some(({ text }) => !/^(?:-.*|%\d+|"?\$!"?)$/.test(text))) {
      return `${show(`kill ${args.map(({ text }) => text).join(' ')}`)}: only jobs of the shell may be ended, \`kill %1\`.`
    }
    if (name === 'read') {
      const names = args.filter(({ text }) => !text.startsWith('-'))
      const problem = this.#variableProblem(names.map(({ text }) => ({ name: text, text, isOutput: true })))
      if (problem !== undefined) return problem
    }
    const open = args.find(
      (word) => word.value?.startsWith('-') === true && /^-./.test(word.value) && !options.test(word.value),
    )
    if (open !== undefined && !/^(?:echo|tr|seq)$/.test(name)) return 'options'
    if (isWithoutFiles) return hiddenOption(name, args) ?? 'fine'
    for (const word of args) {
      const problem = this.#outsideProblem(name, word)
      if (problem !== undefined) return problem
    }
    return 'fine'
  }

  /** What a word names outside of the folders of the scenario, also behind `=` or the letter of an option. */
  #outsideProblem(name: string, { value, text, isPattern }: LineWord): string | undefined {
    if (value === undefined)
      return `Which file ${show(name)} looks at cannot be known from ${show(text)}. Write its path out.`
    const inWord = /^-\w(.+)$/.exec(value)?.[1]
    const behind = /=(.+)$/.exec(value)?.[1]
    const pieces = [value, inWord, behind].filter((piece) => piece !== undefined)
    for (const piece of pieces) {
      // Of a pattern, the folder in which it is looked for.
      const path = isPattern ? piece.replace(/[^/]*[*?[].*$/, '') || '.' : piece
      const found = this.#pathsOf(path).find((each) => !this.#isInRoots(each))
      if (
        found !== undefined &&
        !isDevice(found) &&
        (isPattern || /^\.\.(?:\/|$)/.test(path) || statsOf(found) !== undefined)
      ) {
        return `${show(name)} would look at ${found}, outside of the folders of the scenario: ${this.#options.roots.join(', ')}.`
      }
    }
    return undefined
  }

  #ruledProblem(
    name: string,
    args: readonly LineWord[],
    { command, matching }: { readonly command: LineCommand; readonly matching: readonly Rule[] },
  ): Refusal {
    const { scratchDir } = this.#options
    const unnamed = command.variables.find(({ text }) => !matching.some((rule) => namesWord(rule, text)))
    if (unnamed !== undefined) return this.#unruled(`${unnamed.text} ${commandText(name, args)}`)
    if (steering.test(name) && args.some(({ text }) => !matching.some((rule) => namesWord(rule, text)))) {
      return this.#unruled(commandText(name, args))
    }
    const inScratch = this.#directories.find(
      (each) => scratchDir !== undefined && isInside(realPathOf(each), realPathOf(scratchDir)),
    )
    if (inScratch !== undefined)
      return `In your own folder only commands that look are executed. Leave out the \`cd\` to it.`
    if (name.includes('/') && this.#pathsOf(name).some((each) => this.#isOwn(each))) {
      return `${show(name)} may be a program of your own. Only the product is executed.`
    }
    const mixed = args.find((arg) => arg.value === undefined && isPuzzle(arg))
    if (mixed !== undefined) return `What ${show(mixed.text)} is cannot be known. Write it out.`
    const ownFolder = args.find((arg) => this.#leadsIntoOwnFolder(arg))
    if (ownFolder !== undefined)
      return `${show(ownFolder.text)} is a folder of your own: the product would work on what you made.`
    return interpretedProblem(name, args, {
      matching,
      isProjectFile: (script) => {
        const there = this.#pathsOf(script).filter((each) => this.#isInRoots(each) || statsOf(each) !== undefined)
        return there.length > 0 && there.every((each) => this.#isInRoots(each) && !this.#isOwn(each))
      },
    })
  }

  #leadsIntoOwnFolder({ value }: LineWord): boolean {
    const { scratchDir } = this.#options
    if (value === undefined || scratchDir === undefined) return false
    const [, behind = value] = /^-[^=]*=(.+)$/.exec(value) ?? []
    return this.#pathsOf(behind).some((each) => isInside(realPathOf(each), realPathOf(scratchDir)) && isFolder(each))
  }

  #writeProblem(
    name: string,
    args: readonly LineWord[],
    { options, reads }: { options: RegExp; reads?: true },
  ): Refusal {
    const operands = args.filter(({ value }) => value?.startsWith('-') !== true)
    if (args.some(({ value }) => value?.startsWith('-') === true && !options.test(value)))
      return this.#unruled(commandText(name, args))
    const sources = reads === true ? operands.slice(0, -1) : []
    for (const source of sources) {
      const problem = this.#outsideProblem(name, source)
      if (problem !== undefined) return problem
    }
    for (const target of operands.slice(sources.length)) {
      const problem = this.#targetProblem(target)
      if (problem !== undefined) return problem
    }
    return undefined
  }

  #redirectProblem({ operator, target, text }: LineRedirect): string | undefined {
    if (target === undefined || operator === '<>') return `${show(text)} is not executed here. Use \`>\` and \`<\`.`
    if ((operator === '>&' || operator === '<&') && /^(?:\d+|-)$/.test(target.value ?? '')) return undefined
    if (operator === '<' || operator === '<&') return this.#outsideProblem('<', target)
    return this.#targetProblem(target)
  }

  #targetProblem({ value, text, isPattern }: LineWord): string | undefined {
    if (value === undefined) return `Where ${show(text)} leads cannot be known. Write the path out.`
    const path = isPattern ? value.replace(/[^/]*[*?[].*$/, '') || '.' : value
    const files = this.#pathsOf(path)
    if (files.every(isDevice)) return undefined
    const closed = files.find((file) => !this.#options.isWritable(file))
    if (closed === undefined) {
      this.written.push(...files)
      return undefined
    }
    const own = this.#options.scratchDir === undefined ? '' : ' Files of your own go to `$MDTEST_SCRATCH`.'
    return `${closed} may not be written.${own}`
  }

  #variableProblem(variables: readonly LineVariable[]): Refusal {
    const odd = variables.find(({ isOutput, value }) => !isOutput && value === undefined)
    if (odd !== undefined) return `${show(odd.text)}: a variable gets a word, or the whole output of a command.`
    const steering = variables.find(({ name }) => ownOfBash.test(name) || this.#options.environment.has(name))
    return steering && `The variable \`${steering.name}\` would change what later commands do. Use another name.`
  }

  #unruled(text: string): Refusal {
    const { allow, scratchDir } = this.#options
    const rule = bashRule(text)
    const allowed = allow.filter((each) => each.startsWith('Bash')).map((each) => `\`${each}\``)
    const list =
      allowed.length === 0
        ? 'There are none.'
        : `Allowed: ${allowed.slice(0, 8).join(', ')}${allowed.length > 8 ? ', …' : ''}.`
    const own =
      scratchDir !== undefined && /^(?:mktemp|mkdir|touch)\b/.test(text)
        ? ' Files of your own go to `$MDTEST_SCRATCH`.'
        : ''
    const way = rule === undefined ? '' : ` To allow it: \`allow: [${JSON.stringify(rule)}]\`.`
    return { message: `${show(text)} is allowed by no rule. ${list}${way}${own}`, ...(rule !== undefined && { rule }) }
  }

  #pathsOf(path: string): readonly string[] {
    return path.length > 4096 ? [] : [...new Set(this.#directories.map((each) => resolve(each, path)))]
  }

  #isInRoots(path: string): boolean {
    const real = realPathOf(path)
    return this.#roots.some((root) => isInside(real, root))
  }

  /** Whether the agent may have written it. */
  #isOwn(path: string): boolean {
    return this.#options.isOwn(path) || this.written.includes(path)
  }
}

/** Whether a word is put together of what is not known, with hardly a text of its own. */
function isPuzzle({ text, pieces = [] }: LineWord): boolean {
  const isWhole = /^"?(?:\$(?:[\w!?]+|\{\w+\}|\([\s\S]*\))|`[\s\S]*`)"?$/.test(text)
  return !isWhole && pieces.join('').replaceAll(/\W/g, '').length < 4
}

/** Commands of the shell that change what later ones do: a rule has to hold each of their words. */
const steering =
  /^(?:\.|alias|builtin|command|declare|enable|eval|exec|export|hash|local|printf|readonly|set|shopt|source|trap|typeset|unset)$/

/** Variables that bash itself reads. */
const ownOfBash = /^(?:BASH\w*|CDPATH|EXECIGNORE|GLOBIGNORE|IFS|PATH|PS4|OPT\w+|MDTEST_\w+)$/

/** A word that is not known could be an option, `-v`, that evaluates another. */
function hiddenOption(name: string, args: readonly LineWord[]): string | undefined {
  const isTest = name === 'test' || name === '['
  if (!isTest && name !== 'printf' && name !== 'date') return undefined
  const at = args.findIndex(({ value, text }, index) => {
    if (value !== undefined) return false
    const next = args[index + 1]
    const isCompared = next === undefined || /^(?:-\w\w|=|==|!=|\])$/.test(next.value ?? '')
    return !isTest || !text.startsWith('"') || !isCompared
  })
  if (at === -1 || (name === 'printf' && at > 0)) return undefined
  return isTest
    ? `Write ${show(args[at]?.text ?? '')} in double quotes, beside a comparison.`
    : `Write ${show(args[at]?.text ?? '')} out.`
}

function namesWord(rule: Rule, text: string): boolean {
  return literalWords(rule).includes(text)
}

/** Devices that every process has, and that lead nowhere. */
function isDevice(path: string): boolean {
  return /^\/dev\/(?:null|zero|stdin|stdout|stderr)$/.test(path)
}
