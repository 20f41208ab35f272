import { stripVTControlCharacters } from 'node:util'

/** Moves to another place, which stands for white space: interfaces write no blanks they can jump over. */
const moves = /\u001b\[[\d;]*[ABEFHdf]/g
const jumps = /\u001b\[\d*[CG]/g

/** The words that a program has written to a terminal, roughly as somebody would have read them. */
export function screenText(output: string): string {
  return stripVTControlCharacters(output.replaceAll(moves, '\n').replaceAll(jumps, ' '))
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/\s*\n\s*/g, '\n')
}
