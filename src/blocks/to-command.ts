import { MdtestError } from '../shared/mdtest-error.ts'

type Word = string | number | bigint | boolean

/** What may stand in a `$` template: a word, or a list of them. */
export type CommandValue = Word | readonly Word[]

/**
 * A template as code for the shell. Its text is taken as it is typed, backslashes too.
 *
 * @throws MdtestError `EXEC_COMMAND_VALUE` for a value that is no text, number or list of them.
 */
export function toCommand(strings: TemplateStringsArray, values: readonly CommandValue[]): string {
  return strings.raw.map((text, index) => (index === 0 ? '' : quote(values[index - 1], index)) + text).join('')
}

function quote(value: unknown, number: number): string {
  const words: readonly unknown[] = Array.isArray(value) ? value : [value]
  return words.map((word) => (isWord(word) ? quoteWord(String(word)) : refuse(word, number))).join(' ')
}

function isWord(value: unknown): value is Word {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
}

/** Between single quotes nothing means anything to bash, and a single quote cannot stand there. */
function quoteWord(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

function refuse(value: unknown, number: number): never {
  const type = value === null ? 'null' : typeof value
  throw new MdtestError('EXEC_COMMAND_VALUE', `Value ${number} of the \`$\` template is of type \`${type}\`.`, {
    hint: 'Use strings, numbers, booleans or lists of them.',
  })
}
