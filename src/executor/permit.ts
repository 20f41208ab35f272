import { basename, resolve } from 'node:path'
import { realPathOf } from '../system/files/ground.ts'
import { codeOption, interpreter, lookers, silentCommands, writers, type Looker } from './programs.ts'
import { directoriesOf, isFolder } from './directories.ts'
import { readLine, type LineCommand, type LineRedirect, type LineVariable, type LineWord } from './read-line.ts'
import { readRules, rulesOf, textOf, type Rule } from './rules.ts'
import { isInside, statsOf } from '../system/files/paths.ts'
import { bashRule } from '../system/text/quoting.ts'

export interface PermitOptions {
  /** Rules as Claude Code's: `Bash(npm *)`, `Bash(npm run test:*)`, `Bash(git status)`. Others say nothing here. */
  readonly allow: readonly string[]
  readonly directories: readonly string[]
  /** Absolute path of the directory in which the scenario began: a relative file in a rule is a file of it. */
  readonly home: string
  readonly roots: readonly string[]
  /** Absolute path of the folder for files of the agent's own, which is `$MDTEST_SCRATCH`. */
  readonly scratchDir?: string
  readonly isWritable: (file: string) => boolean
  /** Whether the agent may have written a file (absolute path), which is no product then. */
  readonly isOwn: (file: string) => boolean
  /** Names of variables that programs of the line read: the line sets none of them. */
  readonly environment: ReadonlySet<string>
}

export type Permission =
  | {
      readonly ok: true
      readonly written: readonly string[]
      readonly isAction: boolean
    }
  | ({ readonly ok: false } & Refusal)

interface Refusal {
  readonly message: string
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
  if (isWhole) return { ok: true, written: [], isAction: true }
  if (!read.ok) return { ok: false, message: read.problem }
  const judge = new LineJudge(read.commands, { ...options, rules })
  for (const command of read.commands) {
    const refusal = judge.refusalOf(command)
    if (refusal !== undefined) return { ok: false, ...(typeof refusal === 'string' ? { message: refusal } : refusal) }
  }
  return { ok: true, written: judge.written, isAction: judge.isAction }
}

type Problem = string | Refusal | undefined

class LineJudge {
  readonly written: string[] = []
  isAction = false
  readonly #options: PermitOptions & { readonly rules: readonly Rule[] }
  readonly #directoriesOf: (command: LineCommand) => readonly string[]
  readonly #roots: readonly string[]
  readonly #scratch: string | undefined
  #directories: readonly string[] = []

  constructor(commands: readonly LineCommand[], options: PermitOptions & { readonly rules: readonly Rule[] }) {
    this.#options = options
    this.#directoriesOf = directoriesOf(commands, options.directories)
    this.#roots = options.roots.map(realPathOf)
    this.#scratch = options.scratchDir && realPathOf(options.scratchDir)
  }

  refusalOf(command: LineCommand): Problem {
    const { words, program, args, variables, redirects } = command
    this.#directories = this.#directoriesOf(command)
    const redirected = firstProblem(redirects, (each) => this.#redirectProblem(each))
    if (redirected !== undefined) return redirected
    if (program === undefined) return this.#variableProblem(variables)
    const { value: name } = program
    if (name === undefined || program.isPattern || name === '') {
      return `Which program ${show(program.text)} is cannot be known. Write its name out.`
    }
    const isUnruled = variables.length === 0 || (name === 'read' && variables.every(({ text }) => text === 'IFS='))
    const looker = isUnruled ? (lookers.get(name) ?? silentCommands.get(name)) : undefined
    if (looker !== undefined) {
      const problem = this.#shellProblem(name, args)
      if (problem !== undefined) return problem
      if (isLook(name, args, looker))
        return looker.isWithoutFiles
          ? hiddenOption(name, args)
          : firstProblem(args, (word) => this.#outsideProblem(name, word))
    }
    this.isAction = true
    const { home, rules } = this.#options
    const matching = rulesOf(command, rules, { home, directories: this.#directories })
    if (matching.length > 0) return this.#ruledProblem({ ...command, name }, matching)
    const options = isUnruled ? writers.get(name) : undefined
    if (options !== undefined) return this.#writeProblem(name, args, options)
    const full = [...variables.map(({ text }) => text), textOf(words)].join(' ')
    if (rules.some((rule) => rule.matches(full))) {
      return `${show(full)} would run another file here than the one that the rule means. Run it in ${home}.`
    }
    return this.#unruled(full)
  }

  /** What no rule allows of commands that change the shell. */
  #shellProblem(name: string, args: readonly LineWord[]): Problem {
    if (name === 'cd' && args.length !== 1) return '`cd` needs the name of one folder.'
    if (name === 'kill' && args.some(({ text }) => !/^(?:-.*|%\d+|"?\$!"?)$/.test(text))) {
      return `${show(`kill ${args.map(({ text }) => text).join(' ')}`)}: only jobs of the shell may be ended, \`kill %1\`.`
    }
    if (name !== 'read') return undefined
    const names = args.filter(({ text }) => !text.startsWith('-'))
    return this.#variableProblem(names.map(({ text }) => ({ name: text, text, isOutput: true })))
  }

  /** What a word names outside of the folders of the scenario, also behind `=` or the letter of an option. */
  #outsideProblem(name: string, { value, text, isPattern }: LineWord): string | undefined {
    if (value === undefined)
      return `Which file ${show(name)} looks at cannot be known from ${show(text)}. Write its path out.`
    const pieces = [value, /^-\w(.+)$/.exec(value)?.[1], /=(.+)$/.exec(value)?.[1]]
    return firstProblem(pieces, (piece) => {
      if (piece === undefined) return undefined
      const path = isPattern ? folderOfPattern(piece) : piece
      const found = this.#pathsOf(path).find((each) => !this.#isInRoots(each) && !isDevice(each))
      const isThere = found !== undefined && (isPattern || /^\.\.(?:\/|$)/.test(path) || statsOf(found) !== undefined)
      if (!isThere) return undefined
      return `${show(name)} would look at ${found}, outside of the folders of the scenario: ${this.#options.roots.join(', ')}.`
    })
  }

  #ruledProblem(command: LineCommand & { readonly name: string }, matching: readonly Rule[]): Problem {
    const { name, program, args, variables } = command
    const text = textOf(program === undefined ? [] : [program, ...args])
    const isNamed = (word: { readonly text: string }): boolean =>
      matching.some(({ words }) => words.includes(word.text))
    const unnamed = variables.find((each) => !isNamed(each))
    if (unnamed !== undefined) return this.#unruled(`${unnamed.text} ${text}`)
    if (steering.test(name) && !args.every(isNamed)) return this.#unruled(text)
    if (this.#directories.some((each) => this.#isInScratch(each)))
      return `In your own folder only commands that look are executed. Leave out the \`cd\` to it.`
    if (name.includes('/') && this.#pathsOf(name).some((each) => this.#isOwn(each)))
      return `${show(name)} may be a program of your own. Only the product is executed.`
    const mixed = args.find((arg) => arg.value === undefined && isPuzzle(arg))
    if (mixed !== undefined) return `What ${show(mixed.text)} is cannot be known. Write it out.`
    const ownFolder = args.find(({ value = '' }) => {
      const [, behind = value] = /^-[^=]*=(.+)$/.exec(value) ?? []
      return this.#pathsOf(behind).some((each) => this.#isInScratch(each) && isFolder(each))
    })
    if (ownFolder !== undefined)
      return `${show(ownFolder.text)} is a folder of your own: the product would work on what you made.`
    return interpreter.test(basename(name)) ? this.#codeProblem(command, matching) : undefined
  }

  /**
   * Why an interpreter that a rule allows would run code of the agent's own: it runs a file of the project only, with
   * options that the rule names. A rule can name code to the letter, too: `Bash(node -e *)`.
   */
  #codeProblem({ name, program, args }: LineCommand & { readonly name: string }, matching: readonly Rule[]): Problem {
    if (matching.some(({ isExact }) => isExact)) return undefined
    const shown = show(textOf(program === undefined ? [] : [program, ...args]))
    for (const { value, text, isPattern } of args) {
      if (value === undefined || isPattern) return `${shown}: which file it runs cannot be known. Write the script out.`
      const isNamed = matching.some(({ words }) => words.includes(text))
      if (value.startsWith('-') || value === 'eval') {
        if (isNamed && codeOption.test(value)) return undefined
        if (isNamed) continue
        const rule = `Bash(${name} ${value} *)`
        const message = `${shown}: a rule has to name the option ${show(value)}: \`allow: [${JSON.stringify(rule)}]\`.`
        return { message, rule }
      }
      // A word of the tool itself: `deno run`.
      if (isNamed && !/[./]/.test(value)) continue
      if (this.#isProjectFile(value)) return undefined
      return `${shown} would run ${show(text)}, which is no file of the project. Only the product is executed.`
    }
    const rule = bashRule(name)?.replace(' *)', ')')
    const message = `${shown}: name a script of the project. What is piped into it is code of your own.`
    return { message, ...(rule !== undefined && { rule }) }
  }

  #isProjectFile(script: string): boolean {
    const there = this.#pathsOf(script).filter((each) => this.#isInRoots(each) || statsOf(each) !== undefined)
    return there.length > 0 && there.every((each) => this.#isInRoots(each) && !this.#isOwn(each))
  }

  #writeProblem(name: string, args: readonly LineWord[], options: RegExp): Problem {
    const operands = args.filter(({ value }) => value?.startsWith('-') !== true)
    const isKnown = args.every((arg) => operands.includes(arg) || options.test(arg.value ?? ''))
    if (!isKnown) return this.#unruled(`${name} ${args.map(({ text }) => text).join(' ')}`)
    const sources = name === 'cp' ? operands.slice(0, -1) : []
    return (
      firstProblem(sources, (source) => this.#outsideProblem(name, source)) ??
      firstProblem(operands.slice(sources.length), (target) => this.#targetProblem(target))
    )
  }

  #redirectProblem({ operator, target, text }: LineRedirect): string | undefined {
    if (target === undefined || operator === '<>') return `${show(text)} is not executed here. Use \`>\` and \`<\`.`
    if ((operator === '>&' || operator === '<&') && /^(?:\d+|-)$/.test(target.value ?? '')) return undefined
    if (operator === '<' || operator === '<&') return this.#outsideProblem('<', target)
    return this.#targetProblem(target)
  }

  #targetProblem({ value, text, isPattern }: LineWord): string | undefined {
    if (value === undefined) return `Where ${show(text)} leads cannot be known. Write the path out.`
    const files = this.#pathsOf(isPattern ? folderOfPattern(value) : value)
    if (files.every(isDevice)) return undefined
    const closed = files.find((file) => !this.#options.isWritable(file))
    if (closed !== undefined) return `${closed} may not be written.${this.#scratch === undefined ? '' : ownFiles}`
    this.written.push(...files)
    return undefined
  }

  #variableProblem(variables: readonly LineVariable[]): Problem {
    const odd = variables.find(({ isOutput, value }) => !isOutput && value === undefined)
    if (odd !== undefined) return `${show(odd.text)}: a variable gets a word, or the whole output of a command.`
    const steered = variables.find(({ name }) => ownOfBash.test(name) || this.#options.environment.has(name))
    return steered && `The variable \`${steered.name}\` would change what later commands do. Use another name.`
  }

  #unruled(text: string): Refusal {
    const rule = bashRule(text)
    const allowed = this.#options.allow.filter((each) => each.startsWith('Bash')).map((each) => `\`${each}\``)
    const list = `Allowed: ${allowed.slice(0, 8).join(', ')}${allowed.length > 8 ? ', …' : ''}.`
    const way = rule === undefined ? '' : ` To allow it: \`allow: [${JSON.stringify(rule)}]\`.`
    const own = this.#scratch !== undefined && /^(?:mktemp|mkdir|touch)\b/.test(text) ? ownFiles : ''
    const message = `${show(text)} is allowed by no rule. ${allowed.length === 0 ? 'There are none.' : list}${way}${own}`
    return { message, ...(rule !== undefined && { rule }) }
  }

  #pathsOf(path: string): readonly string[] {
    return path.length > 4096 ? [] : [...new Set(this.#directories.map((each) => resolve(each, path)))]
  }

  #isInRoots(path: string): boolean {
    const real = realPathOf(path)
    return this.#roots.some((root) => isInside(real, root))
  }

  #isInScratch(path: string): boolean {
    return this.#scratch !== undefined && isInside(realPathOf(path), this.#scratch)
  }

  #isOwn(path: string): boolean {
    return this.#options.isOwn(path) || this.written.includes(path)
  }
}

const ownFiles = ' Files of your own go to `$MDTEST_SCRATCH`.'

/** Commands of the shell that change what later ones do: a rule has to hold each of their words. */
const steering =
  /^(?:\.|alias|builtin|command|declare|enable|eval|exec|export|hash|local|printf|readonly|set|shopt|source|trap|typeset|unset)$/

/** Variables that bash itself reads. */
const ownOfBash = /^(?:BASH\w*|CDPATH|EXECIGNORE|GLOBIGNORE|IFS|PATH|PS4|OPT\w+|MDTEST_\w+)$/

function firstProblem<Item, Found extends Problem>(
  items: readonly Item[],
  judge: (item: Item) => Found,
): Found | undefined {
  for (const item of items) {
    const problem = judge(item)
    if (problem !== undefined) return problem
  }
  return undefined
}

function show(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return `\`${line.length > 80 ? `${line.slice(0, 79)}…` : line}\``
}

function folderOfPattern(pattern: string): string {
  return pattern.replace(/[^/]*[*?[].*$/, '') || '.'
}

/** Whether a word is put together of what is not known, with hardly a text of its own. */
function isPuzzle({ text, pieces = [] }: LineWord): boolean {
  const isWhole = /^"?(?:\$(?:[\w!?]+|\{\w+\}|\([\s\S]*\))|`[\s\S]*`)"?$/.test(text)
  return !isWhole && pieces.join('').replaceAll(/\W/g, '').length < 4
}

/** Whether a command needs no rule: with other options it may do more than look. */
function isLook(name: string, args: readonly LineWord[], { options = /^-/ }: Looker): boolean {
  if (name === 'set') return args.length === 2 && args[0]?.value === '-o' && args[1]?.value === 'pipefail'
  const isOpen = /^(?:echo|tr|seq)$/.test(name)
  return isOpen || args.every(({ value = '' }) => !/^-./.test(value) || options.test(value))
}

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

/** Devices that every process has, and that lead nowhere. */
function isDevice(path: string): boolean {
  return /^\/dev\/(?:null|zero|stdin|stdout|stderr)$/.test(path)
}
