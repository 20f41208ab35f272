import { putVariable } from './put-variable.ts'
import { sourceOfWord } from './volatile-text.ts'
import type { CommandPiece, MintedValue, Piece, StepPieces } from './piece.ts'

/** A word that could be an id, or be put together of ids. */
const word = /[A-Za-z0-9][A-Za-z0-9_-]{3,}/g

const path = /(?:\/[\w.@+-]*[\w@+-])+/g

/** So much of a hash is enough for those who use it. */
const shortHash = /\b[0-9a-f]{7,39}\b/g

/**
 * Finds values that an output brings up first and a later command uses, such as the number of a new order: each is
 * captured where it is printed, and later commands have the variable in its place.
 *
 * @param known text in which a value may stand without being minted: the spec
 */
export function nameMintedValues(steps: readonly StepPieces[], known: string): readonly StepPieces[] {
  // Paths first: a part of one is none by itself.
  return [pathsIn, idsIn].reduce((named, valuesIn) => nameValues(named, { known, valuesIn }), steps)
}

interface Naming {
  readonly known: string
  valuesIn(output: string): readonly string[]
}

function nameValues(steps: readonly StepPieces[], { known, valuesIn }: Naming): readonly StepPieces[] {
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
    const later = pieces.slice(index + 1).flatMap((one) => (one.kind === 'command' ? [one.command] : []))
    const before = `${seen}\n${piece.command}`
    const values = valuesIn(piece.output).filter((value) => !before.includes(value))
    const mints = usedIn(later, values, piece.output).map((token, at) => {
      return { name: `value${taken + minted.length + at + 1}`, token, source: sourceOfWord(token) }
    })
    named.set(piece, { ...piece, command: minted.reduce(withValue, piece.command), mints: [...piece.mints, ...mints] })
    minted.push(...mints)
    seen += `\n${piece.command}\n${piece.output}`
  }
  return steps.map(({ step, pieces: own }) => ({ step, pieces: own.map((piece) => named.get(piece) ?? piece) }))
}

function wordsOf(piece: Exclude<Piece, CommandPiece>): string {
  if (piece.kind === 'browser') return ''
  return piece.kind === 'file' ? piece.content : piece.command
}

/** Absolute paths, the longest first. */
function pathsIn(output: string): readonly string[] {
  const paths = [...output.matchAll(path)].map(([found]) => found).filter((one) => one.lastIndexOf('/') > 0)
  return longestFirst(paths)
}

/** Words with a digit and parts of such words, the longest first. */
function idsIn(output: string): readonly string[] {
  const words = [...output.matchAll(word)].map(([found]) => found)
  const parts = words.flatMap((one) => one.split(/[_-]/)).filter((part) => part.length > 3)
  return longestFirst([...words, ...parts].filter((one) => /\d/.test(one)))
}

function longestFirst(values: readonly string[]): readonly string[] {
  return [...new Set(values)].toSorted((a, b) => b.length - a.length)
}

/** Those that a command has, and that are not only a part of another one there; in the order of the output. */
function usedIn(commands: readonly string[], values: readonly string[], output: string): readonly string[] {
  let left = commands
  const used = values.filter((token) => {
    const without = left.map((command) => withValue(command, { name: '_', token }))
    const isUsed = without.some((command, index) => command !== left[index])
    left = without
    return isUsed
  })
  return used.toSorted((a, b) => output.indexOf(a) - output.indexOf(b))
}

function withValue(command: string, { name, token }: Pick<MintedValue, 'name' | 'token'>): string {
  const whole = putVariable(command, token, name)
  if (!/^[0-9a-f]{20,}$/.test(token)) return whole
  const shorts = [...whole.matchAll(shortHash)].map(([found]) => found).filter((found) => token.startsWith(found))
  return shorts.reduce((text, short) => putVariable(text, short, `${name}:0:${short.length}`), whole)
}
