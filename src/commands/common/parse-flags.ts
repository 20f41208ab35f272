import { replacedSettings } from '../../spec/front-matter/executor.ts'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { didYouMean } from '../../system/text/did-you-mean.ts'
import { messageOf } from '../../system/error-facts.ts'
import { ownCommand } from '../../system/own-command.ts'
import { flagsOf, hasOptionalValue, type CommandSyntax, type Flag, type FlagValues } from './command-syntax.ts'
import { SetUpError } from './set-up-error.ts'

interface ParsedFlags<Syntax extends CommandSyntax> {
  readonly values: FlagValues<Syntax>
  readonly positionals: readonly string[]
}

/**
 * Reads the arguments after `mdtest <command>`: flags and positionals.
 * @throws {SetUpError} for an unknown flag, a value that is missing or wrong, or anything else where only flags are taken.
 */
export function parseFlags<Syntax extends CommandSyntax>(args: readonly string[], syntax: Syntax): ParsedFlags<Syntax> {
  const flags = Object.entries(flagsOf(syntax))
  const { values: given, positionals } = parseTexts(args, { command: syntax.command, flags })
  if (syntax.isFlagsOnly && positionals.length > 0) {
    throw new SetUpError(`Unexpected \`${positionals[0]}\`; see \`mdtest ${syntax.command} --help\`.`)
  }
  const values = flags.flatMap(([name, flag]) => {
    const text = given[flag.flag]
    return text === undefined ? [] : [[name, readValue(text, flag)] as const] // a pair
  })
  return { values: Object.fromEntries(values) as FlagValues<Syntax>, positionals } // by the readers
}

function readValue(given: Given, { flag, read }: Flag): unknown {
  if (read === undefined || typeof given === 'boolean') return given
  return Array.isArray(given) ? given.map((each) => read(each, `--${flag}`)) : read(given, `--${flag}`)
}

type Given = boolean | string | string[]

interface KnownFlags {
  readonly command: string
  readonly flags: readonly (readonly [string, Flag])[]
}

interface Texts {
  readonly values: Readonly<Record<string, Given | undefined>>
  readonly positionals: readonly string[]
}

function parseTexts(args: readonly string[], { command, flags }: KnownFlags): Texts {
  const options = Object.fromEntries(flags.map(([, flag]) => [flag.flag, parseOption(flag)]))
  const optional = new Set(flags.flatMap(([, flag]) => (hasOptionalValue(flag) ? [`--${flag.flag}`] : [])))
  try {
    // A flag without a value for one with an empty value, which `parseArgs` does not know.
    const whole = args.map((arg) => (optional.has(arg) ? `${arg}=` : arg))
    const { values, positionals } = parseArgs({ args: whole, options, allowPositionals: true })
    return { values: values as Texts['values'], positionals } // by the options
  } catch (error: unknown) {
    const message = messageOf(error).split('. ', 1)[0]
    const [, flag] = /^Unknown option '--(\S+)'/.exec(message ?? '') ?? []
    const names = flags.map(([, known]) => `--${known.flag}`)
    const replaced = replacedSettings.get(flag?.replace(/[.=].*/, '') ?? '')
    const hint = replaced !== undefined ? ` ${replaced}` : flag === undefined ? '' : didYouMean(`--${flag}`, names)
    if (hint !== '') throw new SetUpError(`${message}.${hint} See \`${ownCommand} ${command} --help\`.`)
    throw new SetUpError(`${message}; see \`${ownCommand} ${command} --help\`.`)
  }
}

function parseOption({ short, value, isRepeatable }: Flag): NonNullable<ParseArgsConfig['options']>[string] {
  return {
    type: value === undefined ? 'boolean' : 'string',
    multiple: isRepeatable ?? false,
    ...(short !== undefined && { short }),
  }
}
