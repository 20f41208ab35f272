import { putVariable } from './put-variable.ts'
import { sourceOfWord } from './volatile-text.ts'
import type { CommandPiece, MintedValue, Piece, StepPieces } from './piece.ts'

const word = /[A-Za-z0-9][A-Za-z0-9_-]{3,}/g

const path = /(?:\/[\w.@+-]*[\w@+-])+/g

/** Length of the shortest hash that a command may use instead of the whole hash, as in git. */
const shortestHash = 7

const shortHash = new RegExp(String.raw`\b[0-9a-f]{${shortestHash},39}\b`, 'g')

/** Limit for captured values that no command uses and that only recur in a later output. */
const maxRecalled = 5

/** Captures values that an output shows first and that are used later, such as the number of a new order. */
export function nameMintedValues(steps: readonly StepPieces[], known: string): readonly StepPieces[] {
  // Capture whole paths first. Otherwise a part of a path would be captured alone.
  const withPaths = nameValues(steps, { known, valuesIn: pathsIn, isRecalled: false })
  return nameValues(withPaths, { known, valuesIn: idsIn, isRecalled: true })
}

function nameValues(
  steps: readonly StepPieces[],
  { known, valuesIn, isRecalled }: { known: string; valuesIn: typeof idsIn; isRecalled: boolean },
): readonly StepPieces[] {
  const pieces = steps.flatMap((step) => step.pieces)
  const named = new Map<Piece, CommandPiece>()
  const minted: MintedValue[] = []
  const taken = pieces.flatMap((piece) => (piece.kind === 'command' ? piece.mints : [])).length
  let seen = known
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === 'file') seen += `\n${piece.content}`
    if (piece.kind === 'service') seen += `\n${piece.command}`
    if (piece.kind !== 'command') continue
    const { output, quotes } = piece
    const later = pieces.slice(index + 1).filter((one) => one.kind === 'command')
    seen += `\n${piece.command}`
    const values = [...new Set(valuesIn(output))].toSorted((a, b) => b.length - a.length)
    const fresh = values.filter((value) => !seen.includes(value))
    const used = usedValues(later, fresh)
    const shown = isRecalled && quotes.length > 0 ? shownAgain([piece, ...later], fresh, used) : []
    const tokens = [...used, ...shown].toSorted((a, b) => output.indexOf(a) - output.indexOf(b))
    const mints = tokens.map((token, at): MintedValue => {
      const name = `value${taken + minted.length + at + 1}`
      return { name, token, source: sourceOfWord(token), ...(shown.includes(token) && { isOnlyShown: true }) }
    })
    const command = minted.reduce((text, value) => withValue({ ...piece, command: text }, value), piece.command)
    named.set(piece, { ...piece, command, mints: [...piece.mints, ...mints] })
    minted.push(...mints)
    seen += `\n${output}`
  }
  return steps.map(({ step, pieces: own }) => ({ step, pieces: own.map((piece) => named.get(piece) ?? piece) }))
}

function pathsIn(output: string): readonly string[] {
  return (output.match(path) ?? []).filter((one) => one.lastIndexOf('/') > 0)
}

function idsIn(output: string): readonly string[] {
  const words = (output.match(word) ?? []).filter((one) => /\d/.test(one))
  const parts = words.flatMap((one) => one.split(/[_-]/)).filter((part) => part.length > 3 && /\d/.test(part))
  return words.concat(parts)
}

function usedValues(commands: readonly CommandPiece[], values: readonly string[]): readonly string[] {
  let left = commands
  return values.filter((token) => {
    if (!left.some(({ command }) => command.includes(token.slice(0, shortestHash)))) return false
    const without = left.map((one) => ({ ...one, command: withValue(one, { name: '_', token }) }))
    const isUsed = without.some(({ command }, index) => command !== left[index]?.command)
    left = without
    return isUsed
  })
}

/** Values that occur at least twice in quoted outputs. Omits a value that is part of another value. */
function shownAgain(
  pieces: readonly CommandPiece[],
  values: readonly string[],
  used: readonly string[],
): readonly string[] {
  const all = pieces.flatMap((one) => (one.quotes.length > 0 ? (one.output.match(word) ?? []) : []))
  const seen = new Set<string>()
  const words = new Set(all.filter((one) => seen.size === seen.add(one).size))
  const again = values.filter((value) => words.has(value))
  const isPart = (value: string): boolean => [...used, ...again].some((one) => one !== value && one.includes(value))
  return again.filter((value) => !used.includes(value) && !isPart(value)).slice(0, maxRecalled)
}

function withValue(
  { command }: Pick<CommandPiece, 'command'>,
  { name, token }: Pick<MintedValue, 'name' | 'token'>,
): string {
  const whole = putVariable(command, token, name)
  if (!/^[0-9a-f]{20,}$/.test(token)) return whole
  const shorts = [...whole.matchAll(shortHash)].map(([found]) => found).filter((found) => token.startsWith(found))
  return shorts.reduce((text, short) => putVariable(text, short, `${name}:0:${short.length}`), whole)
}
