import { resolve } from 'node:path'
import { forEachChild, parse } from 'unbash'
import type { AndOr, Assignment, Command, For, Redirection, SyntaxNode } from 'unbash'
import { statsOf } from '../system/files/paths.ts'
import { ShellState, unknownDirectory } from './shell-variables.ts'
import { isPlain, numberProblem, problemOf } from './refused-syntax.ts'
import { found, maxWords, printedBy, textsOf, unwrap, WordReader } from './resolve-words.ts'
import type { Known, LineVariable, LineWord } from './resolve-words.ts'

export interface LineRedirect {
  readonly operator: Redirection['operator']
  /** A file, or the text of a here-document. */
  readonly target: LineWord | undefined
  readonly text: string
}

/** A simple command: a program with its words. A `for` loop counts as a command that only sets a variable. */
export interface LineCommand {
  readonly words: readonly LineWord[]
  /** The program that really runs, after `timeout 5`, `nohup` or `xargs`. Absent if the command has no words. */
  readonly program: LineWord | undefined
  readonly args: readonly LineWord[]
  /** Words that may reach the command through a pipe or a substitution. */
  readonly fed: readonly string[]
  readonly variables: readonly LineVariable[]
  readonly redirects: readonly LineRedirect[]
  /** Where the output goes: to the next command (`pipe`), into a word (`$(…)`), or out of the line (`undefined`). */
  readonly feeds: 'pipe' | 'word' | undefined
  readonly directories: readonly string[]
  /** `first`, `later`: position in a simple statement. `nested`: inside a group, a loop or a subshell. */
  readonly place: 'first' | 'later' | 'nested'
}

export type ReadLine =
  | {
      readonly ok: true
      readonly commands: readonly LineCommand[]
      readonly directoriesAfter: readonly string[]
      readonly variablesAfter: ReadonlyMap<string, Known>
    }
  | { readonly ok: false; readonly problem: string }

export interface ReadOptions {
  readonly directories: readonly string[]
  readonly scratchDir?: string | undefined
  /** Shell variables that earlier lines set. */
  readonly variables?: ReadonlyMap<string, Known> | undefined
}

const maxCharacters = 16 * 1024

/** Limit for substitutions, such as `$(date)`, in one command line. Each one has to be parsed by itself. */
const maxSubstitutions = 64

const maxCommands = 512

/** Reads the simple commands of a bash command line. Never throws. */
export function readLine(line: string, options: ReadOptions): ReadLine {
  const refuse = (problem: string): ReadLine => ({ ok: false, problem })
  if (line.length > maxCharacters) return refuse('It is longer than 16 KiB. Run it in parts.')
  if (/[\0-\u0008\u000b-\u001f\u007f]/.test(line)) return refuse('It contains a control character.')
  if ((line.match(/\$[({]|`|<<|[<>]\(/g)?.length ?? 0) > maxSubstitutions)
    return refuse('It contains too many substitutions. Run it in parts.')
  try {
    const found = new Commands(options)
    found.visit(parse(line), undefined)
    const { problem, commands, state } = found
    if (problem !== undefined) return refuse(problem)
    return { ok: true, commands, directoriesAfter: state.directories, variablesAfter: state.values }
  } catch (error) {
    return refuse(error instanceof RangeError ? 'It is nested too deeply.' : `${String(error)}.`)
  }
}

type Feeds = LineCommand['feeds']

/** Collects the commands of a line, the variables they set, and the directories in which they may run. */
class Commands {
  readonly commands: LineCommand[] = []
  problem: string | undefined
  readonly #words: WordReader
  readonly state: ShellState
  #place: LineCommand['place'] = 'nested'
  /** What the command before the pipe prints. */
  #fed: Known = {}
  /** Directories that the last `cd` leads to, if it succeeds. */
  #reached: readonly string[] | undefined

  constructor({ directories, scratchDir, variables }: ReadOptions) {
    this.state = new ShellState(directories, variables)
    for (const name of scratchDir === undefined ? [] : ['MDTEST_SCRATCH', 'TMPDIR'])
      this.state.values.set(name, { value: scratchDir })
    this.#words = new WordReader(scratchDir, this.state)
  }

  visit(node: SyntaxNode, feeds: Feeds): void {
    if (this.commands.length > maxCommands) this.problem ??= 'It contains too many commands. Run it in parts.'
    this.problem ??= problemOf(node)
    if (this.problem !== undefined) return
    const children = (): void => forEachChild(node, (child) => this.visit(child, feeds))
    switch (node.type) {
      case 'Command':
        children()
        return this.#pushCommand(node, feeds)
      case 'Redirected':
        this.#push({ redirects: this.#redirectsOf(node.redirects), feeds })
        return children()
      case 'CommandExpansion':
      case 'ProcessSubstitution':
        return this.#apart(() => {
          const start = this.commands.length
          forEachChild(node, (child) => this.visit(child, 'word'))
          if (node.script !== undefined) this.#words.printed.set(node.script, this.#printedSince(start))
        })
      case 'Subshell':
        return this.#apart(children)
      case 'Script':
        return forEachChild(node, (child) => {
          if (this.state.depth === 0) this.#place = isPlain(child) ? 'first' : 'nested'
          this.visit(child, feeds)
        })
      case 'Statement':
        return node.background === true ? this.#apart(children) : children()
      case 'Pipeline':
        if (node.commands.length === 1) return children()
        const start = this.commands.length
        return node.commands.forEach((child, index) => {
          const { program, args = [] } = this.commands.at(-1) ?? {}
          const isOne = node.commands[index - 1]?.type === 'Command'
          const known = isOne ? printedBy(program, args, this.state.values.get('MDTEST_SCRATCH')?.value) : {}
          this.#fed = { ...known, pieces: this.#printedSince(start) }
          this.#apart(() => this.visit(child, index === node.commands.length - 1 ? feeds : (feeds ?? 'pipe')))
          this.#fed = {}
        })
      case 'AndOr':
        return this.#visitList(node, feeds)
      case 'If':
      case 'Case':
        return forEachChild(node, (child) => this.state.perhaps(() => this.visit(child, feeds)))
      case 'While':
        return this.#repeat(children)
      case 'For':
        return this.#visitLoop(node, feeds)
      case 'ArithmeticExpansion':
        return this.#compute(node.text.slice(node.text.startsWith('$[') ? 2 : 3, node.text.startsWith('$[') ? -1 : -2))
      case 'ArithmeticCommand':
        return this.#compute(node.body)
      case 'TestBinary': {
        const isSum = /^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator)
        const odd = [node.left, node.right].find((word) => isSum && this.#words.wordOf(word).isNumber !== true)
        const [left, right] = [node.left, node.right].map(({ text }) => `"${text.replaceAll('"', '')}"`)
        if (odd !== undefined)
          this.problem = `${numberProblem(odd.text)} Write \`[ ${left} ${node.operator} ${right} ]\`.`
        return children()
      }
      default:
        return children()
    }
  }

  /** After `&&`, all earlier commands have succeeded. After `||`, it is unknown which of them did. */
  #visitList({ commands, operators }: AndOr, feeds: Feeds): void {
    const start = this.state.changeCount
    let behindFirst = start
    commands.forEach((child, index) => {
      if (operators[index - 1] === '||') this.state.settle(start)
      else if (commands[index - 1]?.type === 'Command' && this.#reached !== undefined) this.state.go(this.#reached)
      this.visit(child, feeds)
      if (index === 0) behindFirst = this.state.changeCount
    })
    this.state.settle(behindFirst)
  }

  #visitLoop({ name: { value: name }, wordlist = [], body }: For, feeds: Feeds): void {
    for (const word of wordlist) this.visit(word, feeds)
    const words = wordlist.flatMap((word) => this.#words.wordsOf(word))
    this.#push({ variables: [{ name, text: `for ${name}`, words }], feeds })
    const start = this.state.changeCount
    const once = (value: Known): void => {
      this.state.set(name, value)
      this.visit(body, feeds)
      this.state.settle(start)
    }
    const isKnown = words.length > 0 && words.length <= maxWords && words.every(({ value }) => value !== undefined)
    if (isKnown) words.forEach(once)
    else this.#repeat(() => once({ isNumber: words.every(({ isNumber }) => isNumber === true) }))
  }

  /** Visits a loop several times, until a round changes no variable and no directory. */
  #repeat(visit: () => void): void {
    const state = (): string => JSON.stringify([[...this.state.values], this.state.directories])
    for (let round = 0; round < 4 && this.problem === undefined; round += 1) {
      const before = state()
      this.state.perhaps(visit)
      if (state() === before) return
    }
    this.problem ??= 'That loop changes too much to be followed. Run its commands by themselves.'
  }

  #printedSince(start: number): readonly string[] {
    const printed = this.commands.slice(start).flatMap(({ program, args, redirects, fed }) => {
      const own = /^(?:echo|printf|yes)$/.test(program?.value ?? '') ? textsOf(program, args) : []
      const documents = redirects.flatMap(({ operator, target }) => (operator.startsWith('<<') ? (target ?? []) : []))
      return [...own, ...textsOf(undefined, documents), ...fed]
    })
    return [...new Set(printed)]
  }

  #cd(args: readonly LineWord[]): void {
    const to = args.find(({ value }) => value !== '-P')?.value
    const { directories } = this.state
    const leads = directories.map((each) => resolve(each, to === undefined || to === '-' ? unknownDirectory : to))
    // If the target is no folder yet, `cd` may fail. Then the old directories stay possible.
    this.state.go(leads.every(isFolder) ? leads : [...directories, ...leads])
    this.#reached = leads
  }

  /** Checks arithmetic, such as `$((n + 1))`. Bash would run code in a variable that is no number. */
  #compute(sum: string): void {
    const names = [...sum.matchAll(/(?<![\w])[A-Za-z_]\w*/g)].map(([name]) => name)
    const [, set] = /^\s*([A-Za-z_]\w*)\s*=(?!=)[^=?&|,]*$/.exec(sum) ?? []
    const odd = names.find((name) => name !== set && this.#words.valueOf(name).isNumber !== true)
    if (odd !== undefined || !/^(?:[\w\s+*/%<>=!&|()?:,^~-]|\$(?:[?#!]|\{?[A-Za-z_]\w*\}?))*$/.test(sum))
      this.problem = `${numberProblem(odd ?? sum)} Write the number.`
    if (!/=|\+\+|--/.test(sum)) return
    for (const name of names) this.state.set(name, { isNumber: true })
    this.#push({ variables: names.map((name) => ({ name, text: sum, words: [], isNumber: true })) })
  }

  #apart(visit: () => void): void {
    this.state.apart(visit)
    this.#reached = undefined
  }

  #push({ words = [], variables = [], redirects = [], feeds }: Partial<LineCommand>): void {
    const { directories } = this.state
    const start = unwrap(words, this.#fed)
    const [program, ...args] = start.words
    const all = [...variables, ...start.variables]
    const place = this.state.depth > 0 ? 'nested' : this.#place
    if (place === 'first' && words.length > 0) this.#place = 'later'
    const fed = [...(this.#fed.pieces ?? []), ...redirects.flatMap(({ target }) => target?.pieces ?? [])]
    this.commands.push({ words, program, args, fed, variables: all, redirects, feeds, directories, place })
  }

  #pushCommand({ name, args, prefix, redirects: told }: Command, feeds: Feeds): void {
    this.#reached = undefined
    const redirects = this.#redirectsOf(told)
    const variables = prefix.flatMap((each) => (each.type === 'Assignment' ? [this.#variableOf(each)] : []))
    const exported = args.flatMap((arg) => (arg.type === 'Assignment' ? [this.#variableOf(arg)] : []))
    const isExport = name?.value === 'export' && exported.length > 0 && exported.length === args.length
    if (name === undefined || isExport) {
      const all = [...variables, ...exported.map((each) => ({ ...each, isExported: true }))]
      for (const variable of all) this.state.set(variable.name, variable)
      return this.#push({ variables: all, redirects, feeds })
    }
    for (const variable of variables) this.state.set(variable.name, {})
    const words = [name, ...args].flatMap((word) => this.#words.wordsOf(word))
    const [program, ...rest] = words
    if (program?.value === 'unset') for (const { text } of rest) this.state.set(text, {})
    const documents = redirects.flatMap(({ target }) => target ?? [])
    const pieces = [...(this.#fed.pieces ?? []), ...textsOf(undefined, documents)]
    if (program?.value === 'read') for (const { text } of rest) this.state.set(text, { pieces })
    const at = program?.value === 'find' ? words.findIndex(({ value }) => value === '-exec') : -1
    const end = words.findIndex(({ value }, index) => at !== -1 && index > at && /^[;+]$/.test(value ?? ''))
    if (end !== -1) {
      this.#push({ words: [...words.slice(0, at), ...words.slice(end + 1)], variables, redirects, feeds })
      return this.#push({ words: words.slice(at + 1, end).map((word) => found(word, { isFound: true })), feeds })
    }
    const start = unwrap(words, {})
    const given = [...variables, ...start.variables].map((variable) => ({ ...variable, isExported: true }))
    if (this.#visitCode(start.words, feeds)) return this.#push({ variables: given, redirects, feeds })
    this.#push({ words, variables, redirects, feeds })
    if (program?.value === 'cd') this.#cd(rest)
    if (/^(?:pushd|popd)$/.test(program?.value ?? '')) this.state.go([...this.state.directories, unknownDirectory])
  }

  /** Visits the code of `bash -c CODE`. Returns `false` if the code cannot be read. */
  #visitCode([program, option, code]: readonly LineWord[], feeds: Feeds): boolean {
    const isShell = /^(?:bash|sh)$/.test(program?.value ?? '') && /^-[eu]*c$/.test(option?.value ?? '')
    const script = isShell && code?.value !== undefined ? parse(code.value) : undefined
    if (script === undefined || problemOf(script) !== undefined) return false
    this.#apart(() => {
      for (const name of this.state.values.keys())
        if (!/^(?:MDTEST_SCRATCH|TMPDIR)$/.test(name)) this.state.values.delete(name)
      this.visit(script, feeds)
    })
    return true
  }

  #variableOf({ name, text, value, append = false, index }: Assignment): LineVariable {
    const values = value.type === 'ArrayValue' ? value.elements : [value]
    const words = values.map((each) => this.#words.wordOf(each, true))
    const isOdd =
      index !== undefined || append || words.some((word) => word.isPuzzle === true || word.text.startsWith('['))
    const one = value.type === 'ArrayValue' || append ? { pieces: textsOf(undefined, words) } : words[0]
    return { ...one, name, text, words, isPuzzle: isOdd }
  }

  #redirectsOf(redirects: readonly Redirection[]): readonly LineRedirect[] {
    return redirects.map((each) => {
      const { text: value, parts } = each.type === 'HereDoc' ? each.body : { text: '', parts: undefined }
      const text = each.type === 'HereDoc' ? { text: value, value, parts } : each.target
      const target = text && this.#words.joined(text)
      return { operator: each.operator, target, text: `${each.operator} ${target?.text ?? ''}` }
    })
  }
}

export function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() === true
}
