import { agentNames } from '../../agents/registry.ts'
import { parseAcpAgent } from '../../spec/front-matter/parse-yaml.ts'
import { isWebAddress, parseDuration } from '../../spec/front-matter/value-forms.ts'
import { didYouMean } from '../../system/text/did-you-mean.ts'
import { splitWords } from '../../system/text/shell-and-regex-quotes.ts'
import { flag, type FlagReader } from './define-command.ts'
import { SetUpError } from './cli.ts'

// Parsers of flag values. For an invalid value they throw a `SetUpError` that lists the valid values.

export const duration: FlagReader<number> = (text, name) =>
  parseDuration(text) ?? refuse(`\`${name}\` takes a duration such as 30s, 10m or 1h, got \`${text}\`.`)

export function wholeNumber(min: number, max: number): FlagReader<number> {
  return numberOf(/^\d+$/, (number) => number >= min && number <= max, `a whole number from ${min} to ${max}`)
}

const decimal = /^\d*\.?\d+$/

export const percentage = numberOf(decimal, (number) => number <= 100, 'a number from 0 to 100')

export const positiveNumber = numberOf(decimal, isAbove0, 'a number above 0')

export const usDollars = numberOf(decimal, isAbove0, 'an amount in US dollars above 0')

function isAbove0(number: number): boolean {
  return number > 0 && Number.isFinite(number)
}

function numberOf(form: RegExp, isTaken: (number: number) => boolean, what: string): FlagReader<number> {
  return (text, name) =>
    form.test(text) && isTaken(Number(text)) ? Number(text) : refuse(`\`${name}\` takes ${what}, got \`${text}\`.`)
}

export function knownName<const Name extends string>(what: string, names: readonly Name[]): FlagReader<Name> {
  return (text, name) =>
    names.find((each) => each === text) ??
    refuse(`${unknown(what, text, names)} \`${name}\` takes ${names.join(', ')}.`)
}

/** An agent that mdtest does not know by name: an ACP agent, or a program that gets the prompt as an argument. */
type OwnAgent = { readonly acp: [string, ...string[]] } | { readonly command: [string, ...string[]] }

export function agentOf<const Name extends string>(names: readonly Name[]): FlagReader<Name | OwnAgent> {
  return (text, name) => {
    const known = names.find((each) => each === text)
    if (known !== undefined) return known
    const own = parseAcpAgent(text)
    if (own !== undefined) return { acp: [...own.acp] }
    const [program, ...rest] = splitWords(text) ?? []
    if (program !== undefined && rest.some((word) => word.includes('{prompt}'))) return { command: [program, ...rest] }
    if (rest.length > 0 && !text.startsWith('{'))
      return refuse(`\`${name}\`: the command \`${text}\` lacks \`{prompt}\`. Write it where the task goes.`)
    const others = `For any other agent give its command, \`'my-agent --task {prompt}'\`, or, if it speaks ACP, \`'{ acp: [my-agent] }'\``
    return refuse(`${unknown('agent', text, names)} \`${name}\` takes ${names.join(', ')}. ${others}.`)
  }
}

export function oneOf<const Word extends string>(words: readonly Word[]): FlagReader<Word> {
  return (text, name) =>
    words.find((word) => word === text) ??
    refuse(`\`${name}\` takes ${words.join(', ')}, got \`${text}\`.${didYouMean(text, words)}`)
}

function unknown(what: string, text: string, names: readonly string[]): string {
  const hint = didYouMean(text, names)
  return `Unknown ${what} \`${text}\`${hint === '' ? ';' : `.${hint}`}`
}

export const webAddress: FlagReader<string> = (text, name) =>
  isWebAddress(text)
    ? text
    : refuse(`\`${name}\` takes an address that begins with http:// or https://, got \`${text}\`.`)

export const filledName: FlagReader<string> = (text, name) =>
  text.trim() === '' ? refuse(`\`${name}\` takes a name, got an empty one.`) : text

export function refuse(message: string): never {
  throw new SetUpError(message)
}

export const suiteRootFlag = flag('-d, --dir DIR', 'suite root (default: the current directory)')

const namedAgents = [...agentNames, 'none'] as const
const forms = `${namedAgents.join(', ')}, { acp: [PROGRAM, …] } or a command with {prompt} (default: auto)`

export const agentFlag = flag('-a, --agent NAME', `agent for the prose: ${forms}`, { read: agentOf(namedAgents) })

export const repeatable = { isRepeatable: true } as const

export const includeFlag = flag('--include GLOB', 'pattern of spec files below the suite root; repeatable', repeatable)

export const changeFlag = flag('--change NAME', 'all specs of one OpenSpec change, which must all pass')

export const projectRootFlag = flag('--root DIR', 'project root (default: the git root, or the current directory)')

export const allowFlag = flag('--allow RULE', 'allow an action, such as "Bash(npm *)"; repeatable', repeatable)

export const mayChangeFlag = flag(
  '--may-change GLOB',
  'let the agent change these files, too, although they judge the product; repeatable',
  repeatable,
)

export const allowAllActionsFlag = flag('-A, --dangerously-allow-all-actions', 'let the agent do anything')
