import { basename, resolve } from 'node:path'
import { realPathOf } from '../system/files/trusted-folder.ts'
import { codeOption, interpreter, lookerOf, writers, type Looker } from './known-programs.ts'
import { steeringVariable } from './shell-variables.ts'
import type { LineVariable, LineWord } from './resolve-words.ts'
import { isFolder, readLine, type LineCommand, type LineRedirect } from './read-command-line.ts'
import { readRules, rulesOf, commandText, type Rule } from './allow-rules.ts'
import { isInside, statsOf } from '../system/files/paths.ts'
import { bashRule } from '../system/text/suggest-rule.ts'

export interface PermitOptions {
  /** Rules as in Claude Code: `Bash(npm *)`, `Bash(npm run test:*)`, `Bash(git status)`. Other kinds are ignored. */
  readonly allow: readonly string[]
  readonly directories: readonly string[]
  /** Folder in which the scenario started. Files in rules are relative to it. */
  readonly home: string
  readonly roots: readonly string[]
  /** Absolute path of the folder for the agent's own files, `$MDTEST_SCRATCH`. */
  readonly scratchDir?: string
  readonly isWritable: (file: string) => boolean
  /** Whether the agent may have written this file (absolute path). The agent's own file is not the product. */
  readonly isOwn: (file: string) => boolean
  /** Variables that programs read. A command line must not set one of them to an option or a file. */
  readonly environment: ReadonlySet<string>
  /** Variables that earlier command lines set. `true`: the value is certainly the id of a background job. */
  readonly jobs?: ReadonlyMap<string, boolean>
}

export type Permission =
  | {
      readonly ok: true
      readonly written: readonly string[]
      readonly isAction: boolean
      readonly jobs: ReadonlyMap<string, boolean>
    }
  | { readonly ok: false; readonly message: string; readonly rules: readonly string[] }

type Problem = string | { readonly text: string; readonly rule: string | undefined; readonly why?: string } | undefined

/** Judges each simple command in a bash command line, even inside loops and substitutions. Never throws. */
export function permit(line: string, options: PermitOptions): Permission {
  const { scratchDir, allow, directories, jobs = new Map() } = options
  const read = readLine(line, { directories, scratchDir })
  const rules = readRules(allow)
  const isWhole = rules.some((rule) => rule.isExact && rule.matches(line.trim()))
  if (isWhole) return { ok: true, written: [], isAction: true, jobs }
  if (!read.ok) return { ok: false, message: read.problem, rules: [] }
  const judge = new LineJudge({ ...options, rules })
  const problems = read.commands.flatMap((command) => judge.problemOf(command) ?? [])
  if (problems.length > 0) return { ok: false, ...judge.refusalOf(problems) }
  return { ok: true, written: judge.written, isAction: judge.isAction, jobs: judge.jobs }
}

type ProgramCommand = LineCommand & { readonly program: LineWord }

class LineJudge {
  readonly written: string[] = []
  readonly jobs: Map<string, boolean>
  isAction = false
  readonly #options: PermitOptions & { readonly rules: readonly Rule[] }
  readonly #scratch: string | undefined
  #directories: readonly string[] = []

  constructor(options: PermitOptions & { readonly rules: readonly Rule[] }) {
    this.#options = options
    this.jobs = new Map(options.jobs)
    this.#scratch = options.scratchDir && realPathOf(options.scratchDir)
  }

  problemOf(command: LineCommand): Problem {
    const { redirects, variables, program } = command
    this.#directories = command.directories
    const problem = firstProblem(redirects, (each) => this.#redirectProblem(each))
    if (problem !== undefined) return problem
    if (program === undefined) return firstProblem(variables, (each) => this.#variableProblem(each))
    return this.#commandProblem({ ...command, program })
  }

  refusalOf(problems: readonly Exclude<Problem, undefined>[]): { message: string; rules: readonly string[] } {
    const told = [...new Set(problems.filter((problem) => typeof problem === 'string'))].slice(0, 3).join(' ')
    const unruled = problems.filter((problem) => typeof problem !== 'string')
    const rules = [...new Set(unruled.flatMap(({ rule }) => rule ?? []))]
    if (unruled.length === 0) return { message: told, rules }
    const allowed = this.#options.allow.filter((each) => each.startsWith('Bash')).map((each) => `\`${each}\``)
    const list = `Allowed: ${allowed.slice(0, 8).join(', ')}${allowed.length > 8 ? ', …' : ''}.`
    const texts = [...new Set(unruled.map(({ text }) => show(text)))].slice(0, 3).join(', ')
    const why = unruled.find((each) => each.why !== undefined)?.why ?? (allowed.length === 0 ? 'There are none.' : list)
    const way = rules.length === 0 ? '' : ` To allow it: \`allow: ${JSON.stringify(rules)}\`.`
    const message = `${texts} ${unruled.length > 1 ? 'are' : 'is'} allowed by no rule. ${why}${way} ${told}`
    return { message: message.trim(), rules }
  }

  #commandProblem(command: ProgramCommand): Problem {
    const { program, args, variables } = command
    const { value: name = '', isPattern } = program
    if (name === '' || isPattern === true)
      return `Which program ${show(program.text)} is cannot be known. Write its name out.`
    const odd = variables.find((each) => !this.#isPlain(each) && (name !== 'read' || each.name !== 'IFS'))
    const looker = odd === undefined ? lookerOf(name, args) : undefined
    // `python3 -m json.tool` would run a file `json.py` of this folder.
    const isOwnModule = name.startsWith('python') && ['json', 'json.py'].some((each) => this.#isTaken(each))
    if (looker !== undefined && !isOwnModule)
      return this.#shellProblem(name, args) ?? this.#lookProblem(command, name, looker)
    this.isAction = true
    const { home, rules } = this.#options
    const matching = rulesOf(command, rules, home)
    if (matching.length > 0) return this.#ruledProblem(command, matching)
    const options = odd === undefined ? writers.get(name) : undefined
    if (options !== undefined) return this.#writeProblem(command, options)
    const text = [...variables.map((each) => each.text), commandText([program, ...args])].join(' ')
    return rules.some((rule) => rule.matches(text))
      ? `${show(text)} would run another file here than the one that the rule means. Run it in ${home}, or let the rule name the file as seen from there.`
      : this.#unruled(command, odd)
  }

  #lookProblem({ args, feeds, redirects }: LineCommand, name: string, looker: Looker): Problem {
    const isGiving = feeds !== undefined || redirects.some(({ operator }) => operator !== '>&')
    const puzzle = isGiving && /^(?:echo|printf)$/.test(name) ? args.find(({ isPuzzle }) => isPuzzle) : undefined
    if (puzzle !== undefined) return unknownWord(puzzle)
    if (looker.isWithoutFiles) return looker.not === undefined ? undefined : hiddenOption(name, args)
    const isElsewhere = args.some(({ value = '' }) => /^-\w*[ef]|^--(?:reg|fi|from)/.test(value))
    const script =
      looker.hasScript && !isElsewhere ? args.find(({ value }) => value?.startsWith('-') !== true) : undefined
    const given = args.filter((arg) => arg !== script || (name !== 'grep' && name !== 'jq' && arg.value === undefined))
    return firstProblem(given, (word) => this.#outsideProblem(name, word))
  }

  /** Refuses some uses of `cd`, `read`, `unset` and `kill`, even if a rule allows the command. */
  #shellProblem(name: string, args: readonly LineWord[]): Problem {
    const operands = args.filter(({ text }) => !text.startsWith('-') || text === '-')
    if (name === 'cd' && operands.length !== 1) return '`cd` needs the name of one folder.'
    const odd = /^(?:read|unset)$/.test(name) ? operands.find(({ text }) => !/^[A-Za-z_]\w*$/.test(text)) : undefined
    if (odd !== undefined) return `Which variable ${show(odd.text)} is cannot be known. Write its name out.`
    if (name === 'read' || name === 'unset')
      return firstProblem(operands, ({ text }) => this.#variableProblem({ name: text, text, words: [] }))
    const signal = /^-[sn]$/.test(args[0]?.value ?? '') ? 2 : /^-\w+$/.test(args[0]?.value ?? '') ? 1 : 0
    const stranger = args.slice(signal).find(({ text, isJob }) => {
      const [, variable = ''] = /^"?\$\{?(\w+)\}?"?$/.exec(text) ?? []
      return isJob !== true && !/^%[\d%+-]*$/.test(text) && this.jobs.get(variable) !== true
    })
    return name === 'kill' && stranger !== undefined
      ? `${show(`kill ${stranger.text}`)}: only jobs of the shell may be ended, \`kill %1\` or \`kill $!\`.`
      : undefined
  }

  /** Refuses a word that names a file outside of the scenario's folders, such as `--file=/etc/passwd`. */
  #outsideProblem(name: string, { value, text, isPattern, isFound }: LineWord): Problem {
    if (isFound === true && !this.#directories.some((each) => this.#isInScratch(each))) return undefined
    if (value === undefined)
      return `Which file ${show(name)} looks at cannot be known from ${show(text)}. Write its path out.`
    const pieces = [value, /^-\w(.*[^/].*)$/.exec(value)?.[1], /=(.+)$/.exec(value)?.[1]]
    return firstProblem(pieces, (piece) => {
      if (piece === undefined) return undefined
      const path = isPattern === true ? folderOfPattern(piece) : piece
      const found = this.#pathsOf(path).find((each) => !this.#isInRoots(each) && !isDevice(each))
      const isThere =
        found !== undefined && (isPattern === true || /^\.\.(?:\/|$)/.test(path) || statsOf(found) !== undefined)
      if (!isThere) return undefined
      return `${show(name)} would look at ${found}, outside of the folders of the scenario. Look at files in ${this.#options.roots.join(', ')}.`
    })
  }

  #ruledProblem(command: ProgramCommand, matching: readonly Rule[]): Problem {
    const { program, args, variables } = command
    const { value: name = '' } = program
    const isNamed = ({ text }: LineWord): boolean => matching.some(({ words }) => words.includes(text))
    const unnamed = variables.find((each) => !isNamed(each) && !this.#isPlain(each))
    if (unnamed !== undefined) return this.#unruled(command, unnamed)
    const isExact = matching.some((rule) => rule.isExact)
    if (steering.test(name) && !isExact && !args.every(isNamed)) return this.#unruled(command)
    if (this.#directories.some((each) => this.#isInScratch(each)))
      return `In your own folder only commands that look are executed. Leave out the \`cd\` to it.`
    if (name.includes('/') && this.#pathsOf(name).some((each) => this.#isOwn(each)))
      return `${show(name)} may be a program of your own. Only the product is executed.`
    const puzzle = args.find(({ isPuzzle }) => isPuzzle)
    if (puzzle !== undefined) return unknownWord(puzzle)
    const ownFolder = args.find(({ value = '' }) => {
      const [, behind = value] = /^-[^=]*=(.+)$/.exec(value) ?? []
      return this.#pathsOf(behind).some((each) => this.#isInScratch(each) && isFolder(each))
    })
    if (ownFolder !== undefined)
      return `${show(ownFolder.text)} is a folder of your own: the product would work on what you made. Give it files.`
    return interpreter.test(basename(name)) ? this.#codeProblem(command, matching) : undefined
  }

  /** An interpreter may run files of the project. Rules must name its options. An exact rule allows any code. */
  #codeProblem(command: ProgramCommand, matching: readonly Rule[]): Problem {
    if (matching.some(({ isExact }) => isExact)) return undefined
    const { args, program } = command
    const shown = show(commandText([program, ...args]))
    for (const { value, text, isPattern } of args) {
      if (value === undefined || isPattern === true)
        return `${shown}: which file it runs cannot be known. Write the script out.`
      const isNamed = matching.some(({ words }) => words.includes(text))
      if (value.startsWith('-') || value === 'eval') {
        if (isNamed && codeOption.test(value)) return undefined
        if (isNamed) continue
        return this.#unruled(command, undefined, `A rule has to name the option ${show(value)}.`)
      }
      // Skip a subcommand of the interpreter, such as `run` in `deno run`.
      if (isNamed && !/[./]/.test(value)) continue
      if (this.#isProjectFile(value)) return undefined
      return `${shown} would run ${show(text)}, which is no file of the project. Only the product is executed.`
    }
    return this.#unruled(command, undefined, 'Name a script of the project: what is piped into it is code of your own.')
  }

  #isProjectFile(script: string): boolean {
    const there = this.#pathsOf(script).filter((each) => this.#isInRoots(each) || statsOf(each) !== undefined)
    return there.length > 0 && there.every((each) => this.#isInRoots(each) && !this.#isOwn(each))
  }

  #writeProblem(command: ProgramCommand, options: RegExp): Problem {
    const { args, program } = command
    const { value: name = '' } = program
    const operands = args.filter(({ value }) => value?.startsWith('-') !== true)
    if (!args.every((arg) => operands.includes(arg) || options.test(arg.value ?? ''))) return this.#unruled(command)
    // `mktemp` writes into `$TMPDIR`. This is the agent's own folder only if mdtest runs the command line.
    if (name === 'mktemp' && this.#scratch === undefined) return this.#unruled(command)
    const sources = name === 'cp' ? operands.slice(0, -1) : []
    return (
      firstProblem(sources, (source) => this.#outsideProblem(name, source)) ??
      firstProblem(operands.slice(sources.length), (target) => this.#targetProblem(target))
    )
  }

  #redirectProblem({ operator, target, text }: LineRedirect): Problem {
    if (target === undefined || operator === '<>') return `${show(text)} is not executed here. Use \`>\` and \`<\`.`
    if (operator.startsWith('<<')) return target.isPuzzle === true ? unknownWord(target) : undefined
    if ((operator === '>&' || operator === '<&') && /^(?:\d+|-)$/.test(target.value ?? '')) return undefined
    return operator.startsWith('<') ? this.#outsideProblem('<', target) : this.#targetProblem(target)
  }

  #targetProblem({ value, text, isPattern }: LineWord): Problem {
    // `.*` matches `..`, too, so the pattern can lead out of its folder.
    const isOpen = isPattern === true && /[*?[].*\/|(?:^|\/)\.[^/]*[*?[]/.test(value ?? '')
    if (value === undefined || isOpen) return `Where ${show(text)} leads cannot be known. Write the path out.`
    const files = this.#pathsOf(isPattern === true ? folderOfPattern(value) : value)
    if (files.every(isDevice)) return undefined
    const closed = files.find((file) => !this.#options.isWritable(file))
    if (closed !== undefined) return `${closed} may not be written.${this.#scratch === undefined ? '' : ownFiles}`
    this.written.push(...files)
    return undefined
  }

  #variableProblem(variable: LineVariable): Problem {
    const { name, text, isPuzzle, isJob = false, isExported } = variable
    this.jobs.set(name, isJob && this.jobs.get(name) !== false)
    if (isPuzzle === true) return `${show(text)}: a variable gets words, or the whole output of a command.`
    const isRead = isExported === true || this.#options.environment.has(name)
    const isSteering = steeringVariable.test(name) || (isRead && !this.#isPlain(variable))
    return isSteering ? `The variable \`${name}\` would change what later commands do. Use another name.` : undefined
  }

  /** Whether `A=value` before a command is harmless: the value is no option and no file. */
  #isPlain({ name, value, isNumber }: LineVariable): boolean {
    if (steeringVariable.test(name)) return false
    if (value === undefined) return isNumber === true
    const words = value.split(/[\s:;,]+/).filter((word) => word !== '')
    return words.every((word) => !word.startsWith('-') && !this.#isTaken(word))
  }

  #isTaken(name: string): boolean {
    return this.#pathsOf(name).some((file) => statsOf(file) !== undefined || this.#isOwn(file))
  }

  #unruled({ program, args, variables }: ProgramCommand, variable?: LineVariable, why?: string): Problem {
    const name = program.value ?? ''
    const before = variables.map(({ text }) => `${text} `).join('')
    const text = `${variable === undefined ? '' : before}${commandText([program, ...args])}`
    const own = this.#scratch !== undefined && /^(?:mktemp|mkdir|touch)$/.test(name) ? ownFiles.trim() : undefined
    const end = args.findIndex(({ value = '' }) => !value.startsWith('-') && value !== 'eval')
    const options = end === -1 ? args : args.slice(0, end + (args[end - 1]?.value === '-m' ? 1 : 0))
    const isCode = interpreter.test(basename(name)) && args.every(({ value }) => value !== undefined)
    const rule =
      steering.test(name) || (isCode && args.length === options.length) || /[$`"']/.test(before)
        ? `Bash(${text})`
        : isCode && options.length > 0
          ? `Bash(${before}${commandText([program, ...options])} *)`
          : bashRule(text)
    return { text, rule, ...((why ?? own) !== undefined && { why: why ?? own ?? '' }) }
  }

  #pathsOf(path: string): readonly string[] {
    return path.length > 4096 ? [] : [...new Set(this.#directories.map((each) => resolve(each, path)))]
  }

  #isInRoots(path: string): boolean {
    const real = realPathOf(path)
    return this.#options.roots.some((root) => isInside(real, root) || isInside(real, realPathOf(root)))
  }

  #isInScratch(path: string): boolean {
    return this.#scratch !== undefined && isInside(realPathOf(path), this.#scratch)
  }

  #isOwn(path: string): boolean {
    return this.#options.isOwn(path) || this.written.includes(path)
  }
}

const ownFiles = ' Files of your own go to `$MDTEST_SCRATCH`.'

/** Shell commands that change the meaning of later commands. A rule must contain all their words. */
const steering =
  /^(?:\.|alias|builtin|command|declare|enable|eval|exec|export|hash|local|printf|readonly|set|shopt|source|trap|typeset|unset)$/

function firstProblem<Item>(items: readonly Item[], judge: (item: Item) => Problem): Problem {
  return items.reduce<Problem>((problem, item) => problem ?? judge(item), undefined)
}

function unknownWord({ text }: LineWord): string {
  return `What ${show(text)} is cannot be known. Write it out.`
}

function show(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return `\`${line.length > 80 ? `${line.slice(0, 79)}…` : line}\``
}

function folderOfPattern(pattern: string): string {
  return pattern.replace(/[^/]*[*?[].*$/, '') || '.'
}

/** A word with an unknown value could be `-v`. Bash would then evaluate the next word as code. */
function hiddenOption(name: string, args: readonly LineWord[]): string | undefined {
  const isTest = name === 'test' || name === '['
  const odd = args.find(({ value, text, isNumber }, index) => {
    if (value !== undefined || isNumber === true || (name === 'printf' && index > 0)) return false
    const isCompared = /^(?:-\w\w|=|==|!=|\])$/.test((args[index + 1] ?? { value: ']' }).value ?? '')
    return !isTest || !text.startsWith('"') || !isCompared
  })
  if (odd === undefined) return undefined
  return `Write ${show(odd.text)} ${isTest ? 'in double quotes, beside a comparison' : 'out'}.`
}

function isDevice(path: string): boolean {
  return /^\/dev\/(?:null|zero|u?random|stdin|stdout|stderr)$/.test(path)
}
