import { MdtestError } from '../../system/mdtest-error.ts'
import { singleQuoted } from '../../system/text/quote-word.ts'

type Word = string | number | bigint | boolean

/** What may stand in a `$` template: a word, or a list of them. */
export type CommandValue = Word | readonly Word[]

/**
 * A template as code for the shell. Its text is taken as it is typed, backslashes too, but for those that JavaScript asks
 * for: before a backtick and before `${`.
 *
 * @throws MdtestError `EXEC_COMMAND_VALUE` for a value that is no text, number or list of them, or that stands in quotes.
 */
export function toCommand(strings: TemplateStringsArray, values: readonly CommandValue[]): string {
  const texts = strings.raw.map((text) => text.replaceAll(/\\(`|\$\{)/g, '$1'))
  const [first = '', ...others] = texts
  return others.reduce((command, text, index) => {
    const number = index + 1
    if (endsInQuotes(texts.slice(0, number).join('')))
      refuse(number, 'stands in quotes', 'Take them away: mdtest quotes it.')
    return command + quote(values[index], number) + text
  }, first)
}

/** As far as can be told without parsing the shell's grammar: comments, escapes and both kinds of quotes. */
function endsInQuotes(code: string): boolean {
  const rest = code.replaceAll(/\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*"|(?<=^|\s)#.*/g, '')
  return /['"]/.test(rest)
}

function quote(value: unknown, number: number): string {
  const words: readonly unknown[] = Array.isArray(value) ? value : [value]
  return words.map((word) => (isWord(word) ? singleQuoted(String(word)) : refuseType(word, number))).join(' ')
}

function isWord(value: unknown): value is Word {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
}

function refuseType(value: unknown, number: number): never {
  const type = value === null ? 'null' : typeof value
  return refuse(number, `is of type \`${type}\``, 'Use strings, numbers, booleans or lists of them.')
}

function refuse(number: number, problem: string, hint: string): never {
  throw new MdtestError('EXEC_COMMAND_VALUE', `Value ${number} of the \`$\` template ${problem}.`, { hint })
}
