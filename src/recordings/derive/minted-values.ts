import { putVariable } from './put-variable.ts'
import { sourceOfWord } from './volatile-text.ts'
import type { CommandPiece, MintedValue, Piece, StepPieces } from './piece.ts'

/** A word that could be an id, or be put together of ids. */
const word = /[A-Za-z0-9][A-Za-z0-9_-]{3,}/g

const path = /(?:\/[\w.@+-]*[\w@+-])+/g

/** So many digits of a hash are enough for those who use it. */
const shortestHash = 7

const shortHash = new RegExp(String.raw`\b[0-9a-f]{${shortestHash},39}\b`, 'g')

/**
 * Finds values that an output brings up first and a later command uses or a later output shows again, such as the number
 * of a new order: each is captured where it is printed. Later commands have the variable in its place.
 *
 * @param known text in which a value may stand without being minted: the spec
 */
export function nameMintedValues(steps: readonly StepPieces[], known: string): readonly StepPieces[] {
  // Paths first: a part of one is none by itself.
  const withPaths = nameValues(steps, { known, valuesIn: pathsIn, isRecalled: false })
  return nameValues(withPaths, { known, valuesIn: idsIn, isRecalled: true })
}

interface Naming {
  readonly known: string
  valuesIn(output: string): readonly string[]
  /** Whether a value that is only shown again is named, too. */
  readonly isRecalled: boolean
}

/** More values that are only shown again say nothing new. */
const maxRecalled = 5

function nameValues(steps: readonly StepPieces[], { known, valuesIn, isRecalled }: Naming): readonly StepPieces[] {
  const pieces = steps.flatMap((step) => step.pieces)
  const named = new Map<Piece, CommandPiece>()
  const minted: MintedValue[] = []
  const taken = pieces.flatMap((piece) => (piece.kind === 'command' ? piece.mints : [])).length
  let seen = known
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind !== 'command') {
      seen += `\n${wordsOf(piece)}`
      continue
    }
    const later = pieces.slice(index + 1).flatMap((one) => (one.kind === 'command' ? [one] : []))
    const before = `${seen}\n${piece.command}`
    // Outputs are long, and few of their words are used at all.
    const mayStand = standsIn(later)
    const fresh = longestFirst(valuesIn(piece.output)).filter((value) => !before.includes(value))
    const used = usedIn(later, fresh.filter(mayStand), piece.output)
    const shown = isRecalled && piece.quotes.length > 0 ? shownAgain(later, fresh, { used, output: piece.output }) : []
    const mints = [...used, ...shown].map((token, at): MintedValue => {
      const mint = { name: `value${taken + minted.length + at + 1}`, token, source: sourceOfWord(token) }
      return shown.includes(token) ? { ...mint, isOnlyShown: true } : mint
    })
    const command = minted.reduce((text, value) => withValue({ ...piece, command: text }, value), piece.command)
    named.set(piece, { ...piece, command, mints: [...piece.mints, ...mints] })
    minted.push(...mints)
    seen += `\n${piece.command}\n${piece.output}`
  }
  return steps.map(({ step, pieces: own }) => ({ step, pieces: own.map((piece) => named.get(piece) ?? piece) }))
}

function wordsOf(piece: Exclude<Piece, CommandPiece>): string {
  if (piece.kind === 'browser') return ''
  return piece.kind === 'file' ? piece.content : piece.command
}

function pathsIn(output: string): readonly string[] {
  return (output.match(path) ?? []).filter((one) => one.lastIndexOf('/') > 0)
}

/** Words with a digit and parts of such words. */
function idsIn(output: string): readonly string[] {
  const words = (output.match(word) ?? []).filter((one) => /\d/.test(one))
  const parts = words.flatMap((one) => one.split(/[_-]/)).filter((part) => part.length > 3 && /\d/.test(part))
  return words.concat(parts)
}

function longestFirst(values: readonly string[]): readonly string[] {
  return [...new Set(values)].toSorted((a, b) => b.length - a.length)
}

/** Tells cheaply of most values that no command has them: each run of letters and digits of one begins a run there. */
function standsIn(commands: readonly Written[]): (value: string) => boolean {
  const runs = /[A-Za-z0-9]+/g
  const startOf = (run: string): string => run.slice(0, shortestHash)
  const starts = new Set(commands.flatMap(({ command }) => command.match(runs) ?? []).map(startOf))
  return (value) => (value.match(runs) ?? []).every((run) => starts.has(startOf(run)))
}

type Written = Pick<CommandPiece, 'command'>

/** Those that a later output with a quote shows again as a whole word, and that are no part of another one. */
function shownAgain(
  later: readonly CommandPiece[],
  values: readonly string[],
  { used, output }: { readonly used: readonly string[]; readonly output: string },
): readonly string[] {
  const words = new Set(later.flatMap((one) => (one.quotes.length > 0 ? (one.output.match(word) ?? []) : [])))
  const isPart = (value: string, others: readonly string[]): boolean => others.some((other) => other.includes(value))
  const again = values.filter((value) => words.has(value) && !isPart(value, used))
  const whole = again.filter((value, index) => !isPart(value, again.slice(0, index)))
  return whole.slice(0, maxRecalled).toSorted((a, b) => output.indexOf(a) - output.indexOf(b))
}

/** Those that a command has, and that are not only a part of another one there; in the order of the output. */
function usedIn(commands: readonly Written[], values: readonly string[], output: string): readonly string[] {
  let left = commands
  const used = values.filter((token) => {
    const without = left.map((one) => ({ ...one, command: withValue(one, { name: '_', token }) }))
    const isUsed = without.some(({ command }, index) => command !== left[index]?.command)
    left = without
    return isUsed
  })
  return used.toSorted((a, b) => output.indexOf(a) - output.indexOf(b))
}

function withValue({ command }: Written, { name, token }: Pick<MintedValue, 'name' | 'token'>): string {
  const whole = putVariable(command, token, name)
  if (!/^[0-9a-f]{20,}$/.test(token)) return whole
  const shorts = [...whole.matchAll(shortHash)].map(([found]) => found).filter((found) => token.startsWith(found))
  return shorts.reduce((text, short) => putVariable(text, short, `${name}:0:${short.length}`), whole)
}
