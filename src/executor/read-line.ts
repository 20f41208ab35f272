import {
  forEachChild,
  parse,
  type Assignment,
  type Command,
  type For,
  type Redirect,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash'

export interface LineWord {
  readonly text: string
  /** What the command gets. `undefined` where a variable or an output is a part of it. */
  readonly value: string | undefined
  readonly pieces?: readonly string[]
  readonly isPattern: boolean
}

export interface LineVariable {
  readonly name: string
  readonly text: string
  /** Whether its value is an output of commands of the line, or a number that bash knows (`$!`, `$?`). */
  readonly isOutput: boolean
  readonly value?: string
  readonly words?: readonly LineWord[]
}

export interface LineRedirect {
  readonly operator: Redirect['operator']
  readonly target: LineWord | undefined
  readonly text: string
}

/** A simple command: a program with its words. A loop over words is one without a program that sets a variable. */
export interface LineCommand {
  readonly words: readonly LineWord[]
  /** Without what only starts it: `timeout 5`, `nohup`. Absent where it has no words. */
  readonly program: LineWord | undefined
  readonly args: readonly LineWord[]
  readonly variables: readonly LineVariable[]
  readonly redirects: readonly LineRedirect[]
  /** Where its output goes, if not to the output of the line: into the next command of a pipe, or into a word. */
  readonly feeds: 'pipe' | 'word' | undefined
  /**
   * `first` of a statement that runs as the line comes to it, or `later` in one; `nested` in a group or a loop, so that it may
   * run at any time; `apart` in a shell of its own.
   */
  readonly place: 'first' | 'later' | 'nested' | 'apart'
}

export type ReadLine =
  | { readonly ok: true; readonly commands: readonly LineCommand[] }
  | { readonly ok: false; readonly problem: string }

const maxCharacters = 16 * 1024

/** How many substitutions a line may have: each is parsed by itself. */
const maxSubstitutions = 32

const maxCommands = 512
const tooMany = 'It holds too many commands. Run it in parts.'

/** A loop over more words is read once, with a variable that is not known. */
const maxRounds = 32

/** What may stand in a line. Each simple command in it is judged by itself, whether it runs or not. */
const known: ReadonlySet<string> = new Set(
  `Script Statement AndOr Pipeline Time Negation Command Redirected CompoundList BraceGroup Subshell If Elif While For
  Case CaseItem Word Literal SingleQuoted DoubleQuoted AnsiCQuoted Glob SimpleExpansion ParameterExpansion
  CommandExpansion Assignment Redirect FileDescriptor`.split(/\s+/),
)

const intoFile = 'Write the text into a file with the tool `write`, and give the product its name'

/** What may not: its name, and what to write in its place. */
const instead: Partial<Record<SyntaxNode['type'], readonly [string, string]>> = {
  HereDoc: ['A here-document (`<<`)', intoFile],
  HereString: ['A here-string (`<<<`)', intoFile],
  TestCommand: ['`[[ … ]]`', 'Use `[ … ]`'],
  ArithmeticExpansion: ['`$((…))`', 'Write the number'],
  ArithmeticCommand: ['`((…))`', 'Write the number'],
  ArithmeticFor: ['`for ((…))`', 'Name the words of the loop: `for n in 1 2 3`'],
  ProcessSubstitution: ['`<(…)`', 'Save the output in `$MDTEST_SCRATCH`, and use the file'],
  Function: ['A function', 'Write its commands out where they run'],
  BraceExpansion: ['`{…}`', 'Write each word out'],
}

/** Never throws. `values` holds the known variables: other variables and outputs are unknown. */
export function readLine(line: string, values: Readonly<Record<string, string>> = {}): ReadLine {
  const refuse = (problem: string): ReadLine => ({ ok: false, problem })
  if (line.length > maxCharacters) return refuse('It is longer than 16 KiB. Run it in parts.')
  // eslint-disable-next-line no-control-regex
  if (/[\0-\u0008\u000b-\u001f\u007f]/.test(line)) return refuse('It holds a control character.')
  if ((line.match(/\$[({]|`|<<|[<>]\(/g)?.length ?? 0) > maxSubstitutions) {
    return refuse('It holds too many substitutions. Run it in parts.')
  }
  try {
    const script = parse(line)
    const found = new Commands(values)
    found.visit(script, undefined)
    return found.problem === undefined ? { ok: true, commands: found.commands } : refuse(found.problem)
  } catch (error) {
    return refuse(error instanceof RangeError ? 'It is nested too deeply.' : `${String(error)}.`)
  }
}

class Commands {
  readonly commands: LineCommand[] = []
  problem: string | undefined
  readonly #values: Record<string, string>
  #place: LineCommand['place'] = 'nested'
  #depth = 0

  constructor(values: Readonly<Record<string, string>>) {
    this.#values = { ...values }
  }

  visit(node: SyntaxNode, feeds: LineCommand['feeds']): void {
    this.problem ??= this.commands.length > maxCommands ? tooMany : problemOf(node)
    if (this.problem !== undefined) return
    if (node.type === 'Command') this.#pushCommand(node, feeds)
    if (node.type === 'For') {
      this.#visitLoop(node, feeds)
      return
    }
    if (node.type === 'Redirected') this.#push({ redirects: this.#redirectsOf(node.redirects), feeds })
    const last = node.type === 'Pipeline' ? node.commands.at(-1) : undefined
    const isApart = hasOwnShell(node)
    if (isApart) this.#depth += 1
    forEachChild(node, (child) => {
      if (node.type === 'Script' && this.#depth === 0) this.#place = isPlain(child) ? 'first' : 'nested'
      const isPiped = last !== undefined && child !== last
      this.visit(child, node.type === 'CommandExpansion' ? 'word' : isPiped ? (feeds ?? 'pipe') : feeds)
    })
    if (isApart) this.#depth -= 1
  }

  /** The body of a loop over literal words is read once for each of them. */
  #visitLoop(node: For, feeds: LineCommand['feeds']): void {
    const name = node.name.value
    const wordlist = node.wordlist ?? []
    const words = wordlist.map((word) => this.#wordOf(word))
    const isLiteral = words.every(({ value, isPattern }) => value !== undefined && !isPattern)
    this.#push({ variables: [{ name, text: `for ${name}`, isOutput: true, words }], feeds })
    for (const word of wordlist) this.visit(word, feeds)
    const values = isLiteral && words.length <= maxRounds ? words.map(({ value }) => value) : [undefined]
    for (const value of values) {
      this.#set(name, value)
      this.visit(node.body, feeds)
    }
    this.#set(name, undefined)
  }

  #set(name: string, value: string | undefined): void {
    if (value === undefined) delete this.#values[name]
    else this.#values[name] = value
  }

  #push(command: Partial<LineCommand> & Pick<LineCommand, 'feeds'>): void {
    const [program, ...args] = unwrap(command.words ?? [])
    this.commands.push({ words: [], program, args, variables: [], redirects: [], place: 'nested', ...command })
  }

  #pushCommand({ name, prefix, args, redirects }: Command, feeds: LineCommand['feeds']): void {
    const place = this.#depth > 0 ? 'apart' : this.#place
    if (place === 'first') this.#place = 'later'
    const variables = prefix.flatMap((each) => (each.type === 'Assignment' ? [this.#variableOf(each)] : []))
    for (const { name: variable, value } of variables) this.#set(variable, name === undefined ? value : undefined)
    if (name?.value === 'read') for (const { text } of args) this.#set(text, undefined)
    const words = (name === undefined ? [] : [name, ...args]).map((word) => this.#wordOf(word))
    this.#push({ place, words, variables, redirects: this.#redirectsOf(redirects), feeds })
  }

  #variableOf({ name, text, value, append, index }: Assignment): LineVariable {
    const isWhole = append !== true && index === undefined && value.type === 'Word'
    const known = isWhole ? this.#wordOf(value).value : undefined
    const parts = value.type === 'Word' ? (value.parts ?? []) : []
    const [inner] = parts.flatMap((part): readonly WordPart[] => (part.type === 'DoubleQuoted' ? part.parts : [part]))
    const isOutput = parts.length === 1 && (inner?.type === 'CommandExpansion' || /^\$[!?]$/.test(inner?.text ?? ''))
    return { name, text, isOutput: isOutput && isWhole, ...(known !== undefined && { value: known }) }
  }

  #redirectsOf(redirects: readonly SyntaxNode[]): readonly LineRedirect[] {
    return redirects.flatMap((each) => {
      if (each.type !== 'Redirect') return []
      const target = each.target && this.#wordOf(each.target)
      return [{ operator: each.operator, target, text: `${each.operator} ${target?.text ?? ''}` }]
    })
  }

  /** `dd if=x` has a word that the parser takes for an assignment. */
  #wordOf(word: Word | Assignment): LineWord {
    if (word.type === 'Assignment') {
      const { name, value, append, index, text } = word
      if (value.type === 'ArrayValue' || index !== undefined) return { text, value: undefined, isPattern: false }
      const inner = this.#wordOf(value)
      const start = `${name}${append === true ? '+=' : '='}`
      return { text, value: inner.value === undefined ? undefined : start + inner.value, isPattern: inner.isPattern }
    }
    const { text, value, parts } = word
    // A home is not known here.
    if (text.startsWith('~')) return { text, value: undefined, isPattern: false }
    if (parts === undefined) return { text, value, isPattern: false }
    const isPattern = parts.some(({ type }) => type === 'Glob')
    const whole = this.#join(parts)
    return { text, value: whole, isPattern, ...(whole === undefined && { pieces: this.#pieces(parts) }) }
  }

  #join(parts: readonly WordPart[]): string | undefined {
    const values = parts.map((part) => this.#valueOf(part))
    return values.every((each) => each !== undefined) ? values.join('') : undefined
  }

  #pieces(parts: readonly WordPart[]): readonly string[] {
    return parts.flatMap((part) =>
      part.type === 'DoubleQuoted' ? this.#pieces(part.parts) : (this.#valueOf(part) ?? []),
    )
  }

  #valueOf(part: WordPart): string | undefined {
    switch (part.type) {
      case 'Literal':
      case 'SingleQuoted':
      case 'AnsiCQuoted':
      case 'Glob':
        return part.value
      case 'DoubleQuoted':
        return this.#join(part.parts)
      case 'SimpleExpansion':
        return this.#values[part.text.slice(1)]
      case 'ParameterExpansion':
        return this.#values[part.parameter]
      default:
        return undefined
    }
  }
}

/** Takes off what only starts another command: `timeout 5`, `time`, `nice -n 5`, `nohup`. */
function unwrap(words: readonly LineWord[]): readonly LineWord[] {
  const [program, ...args] = words
  if (!/^(?:timeout|time|nice|nohup)$/.test(program?.value ?? '')) return words
  const at = args.findIndex(({ value }) => value === undefined || !/^(?:-.*|[\d.]+[smhd]?|[A-Z]{3,9})$/.test(value))
  return at === -1 ? words : unwrap(args.slice(at))
}

/** Whether what is in it runs in a shell of its own: a `cd` in it ends with it. */
function hasOwnShell(node: SyntaxNode): boolean {
  if (node.type === 'Pipeline') return node.commands.length > 1
  if (node.type === 'Statement') return node.background === true
  return node.type === 'Subshell' || node.type === 'CommandExpansion'
}

/** Whether all of a statement runs in the shell itself, one command after the other. */
function isPlain(node: SyntaxNode): boolean {
  if (node.type === 'Statement' && node.background === true) return false
  if (node.type === 'Command') return true
  const isKnown = node.type === 'Statement' || node.type === 'AndOr' || node.type === 'Redirected'
  let isAll = isKnown
  if (isKnown) forEachChild(node, (child) => void (isAll &&= child.type === 'Redirect' || isPlain(child)))
  return isAll
}

function problemOf(node: SyntaxNode): string | undefined {
  if (node.type === 'Script' && node.errors?.[0] !== undefined) {
    const { message, pos } = node.errors[0]
    return `${message} at character ${pos + 1}.`
  }
  const isChanged =
    node.type === 'ParameterExpansion' && (node.operation !== undefined || node.prefix !== undefined || node.index)
  if (!isChanged && known.has(node.type)) return undefined
  const other = instead[node.type] ?? ['This kind of command', 'Run the commands in it by themselves']
  const [name, way] = isChanged ? ['`${…}` that changes a value', 'Use the variable as it is'] : other
  return `${name} is not executed here. ${way}.`
}
