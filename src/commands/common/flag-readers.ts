import { parseAcpAgent } from '../../spec/front-matter/parse-front-matter.ts'
import { isWebAddress, parseDuration } from '../../spec/front-matter/value-forms.ts'
import { reproduceModes, type ReproduceMode } from '../../spec/recording/replay-mode.ts'
import { splitWords } from '../../system/text/quoting.ts'
import type { FlagReader } from './command-syntax.ts'
import { SetUpError } from './set-up-error.ts'

// Readers of what is given for a flag. All throw a `SetUpError` that says what the flag takes.

/** Gives milliseconds. */
export const duration: FlagReader<number> = (text, flag) =>
  parseDuration(text) ?? refuse(`\`${flag}\` takes a duration such as 30s, 10m or 1h, got \`${text}\`.`)

/** For a whole number in these limits, which count. */
export function wholeNumber(min: number, max: number): FlagReader<number> {
  return (text, flag) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (number >= min && number <= max) return number
    return refuse(`\`${flag}\` takes a whole number from ${min} to ${max}, got \`${text}\`.`)
  }
}

/** Gives 0 to 100. */
export const percentage: FlagReader<number> = (text, flag) => {
  const number = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN
  return number <= 100 ? number : refuse(`\`${flag}\` takes a number from 0 to 100, got \`${text}\`.`)
}

export const positiveNumber = above0('a number')

/** Gives US dollars. */
export const usDollars = above0('an amount in US dollars')

function above0(what: string): FlagReader<number> {
  return (text, flag) => {
    const number = /^\d*\.?\d+$/.test(text) ? Number(text) : 0
    if (number > 0 && Number.isFinite(number)) return number
    return refuse(`\`${flag}\` takes ${what} above 0, got \`${text}\`.`)
  }
}

/** For one of some names of what a project may have, such as an agent. */
export function nameOf<const Name extends string>(what: string, names: readonly Name[]): FlagReader<Name> {
  return (text, flag) =>
    names.find((name) => name === text) ?? refuse(`Unknown ${what} \`${text}\`; \`${flag}\` takes ${names.join(', ')}.`)
}

/** An agent without a name of its own: one that speaks ACP, or a program that gets the prompt as an argument. */
type OwnAgent = { readonly acp: [string, ...string[]] } | { readonly command: [string, ...string[]] }

/** For the name of an agent, one that speaks ACP, as front matter has it, or a command line with `{prompt}`. */
export function agentOf<const Name extends string>(names: readonly Name[]): FlagReader<Name | OwnAgent> {
  return (text, flag) => {
    const known = names.find((name) => name === text)
    if (known !== undefined) return known
    const own = parseAcpAgent(text)
    if (own !== undefined) return { acp: [...own.acp] }
    const [program, ...rest] = splitWords(text) ?? []
    if (program !== undefined && rest.some((word) => word.includes('{prompt}'))) return { command: [program, ...rest] }
    const forms = [...names, '`{ acp: [PROGRAM, …] }`', 'or a command with `{prompt}`'].join(', ')
    return refuse(`Unknown agent \`${text}\`; \`${flag}\` takes ${forms}.`)
  }
}

/** For one of some words. */
export function oneOf<const Word extends string>(words: readonly Word[]): FlagReader<Word> {
  return (text, flag) =>
    words.find((word) => word === text) ?? refuse(`\`${flag}\` takes ${words.join(', ')}, got \`${text}\`.`)
}

/** For a flag that may stand alone. */
export const reproduceMode: FlagReader<ReproduceMode> = (text, flag) =>
  text === ''
    ? true
    : (reproduceModes.find((mode) => `${mode}` === text) ??
      refuse(`\`${flag}\` takes nothing, warn or false, got \`${text}\`.`))

export const webAddress: FlagReader<string> = (text, flag) =>
  isWebAddress(text)
    ? text
    : refuse(`\`${flag}\` takes an address that begins with http:// or https://, got \`${text}\`.`)

/** Gives the text without an opinion on it but that there is one. */
export const filledName: FlagReader<string> = (text, flag) =>
  text.trim() === '' ? refuse(`\`${flag}\` takes a name, got an empty one.`) : text

function refuse(message: string): never {
  throw new SetUpError(message)
}
