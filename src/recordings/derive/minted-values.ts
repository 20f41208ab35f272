import { sourceOfWord } from './volatile-text.ts'
import type { CommandPiece, MintedValue, Piece, StepPieces } from './piece.ts'

/** A word that could be an id: four characters or more, one of them a digit. */
const candidate = /[A-Za-z0-9][A-Za-z0-9_-]{3,}/g

/**
 * Finds values that an output brings up first and a later command uses, such as the number of a new order: each is
 * captured where it is printed, and later commands have the variable in its place.
 *
 * @param known text in which a value may stand without being minted: the spec
 */
export function nameMintedValues(steps: readonly StepPieces[], known: string): readonly StepPieces[] {
  const pieces = steps.flatMap((step) => step.pieces)
  const named = new Map<Piece, CommandPiece>()
  const minted: MintedValue[] = []
  let seen = known
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind !== 'command') {
      seen += `\n${wordsOf(piece)}`
      continue
    }
    const later = pieces
      .slice(index + 1)
      .map(textOf)
      .join('\n')
    const mints = wordsIn(piece.output)
      .filter((word) => !seen.includes(word) && !piece.command.includes(word) && isWordIn(later, word))
      .map((token, at) => ({ name: `value${minted.length + at + 1}`, token, source: sourceOfWord(token) }))
    const command = minted.reduce((text, { token, name }) => withVariable(text, token, name), piece.command)
    named.set(piece, { ...piece, command, mints })
    minted.push(...mints)
    seen += `\n${piece.command}\n${piece.output}`
  }
  return steps.map(({ step, pieces: own }) => ({ step, pieces: own.map((piece) => named.get(piece) ?? piece) }))
}

function wordsOf(piece: Exclude<Piece, CommandPiece>): string {
  if (piece.kind === 'browser') return ''
  return piece.kind === 'file' ? piece.content : piece.command
}

function textOf(piece: Piece): string {
  return piece.kind === 'command' ? piece.command : ''
}

function wordsIn(output: string): readonly string[] {
  return [...new Set([...output.matchAll(candidate)].map(([word]) => word))].filter((word) => /\d/.test(word))
}

function isWordIn(text: string, word: string): boolean {
  return [...text.matchAll(candidate)].some(([other]) => other === word)
}

/** The command with a variable wherever the value stands as a word, whatever quotes it stands in. */
function withVariable(command: string, value: string, name: string): string {
  let out = ''
  let quote = ''
  for (let at = 0; at < command.length;) {
    const character = command[at] ?? ''
    if (command.startsWith(value, at) && !isInWord(command, at, value)) {
      const isWhole = quote === "'" && out.endsWith("'") && command[at + value.length] === "'"
      if (isWhole) {
        out = `${out.slice(0, -1)}"$${name}"`
        at += value.length + 1
        quote = ''
        continue
      }
      out += quote === '"' ? `\${${name}}` : quote === "'" ? `'"$${name}"'` : `"$${name}"`
      at += value.length
    } else if (character === '\\' && quote !== "'") {
      out += command.slice(at, at + 2)
      at += 2
    } else {
      if (quote === '' && (character === '"' || character === "'")) quote = character
      else if (character === quote) quote = ''
      out += character
      at += 1
    }
  }
  return out
}

function isInWord(text: string, at: number, value: string): boolean {
  return /[\w-]/.test(text[at - 1] ?? '') || /[\w-]/.test(text[at + value.length] ?? '')
}
