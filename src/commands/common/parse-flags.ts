import { Command, CommanderError, Option } from 'commander'
import { replacedSettings } from '../../spec/front-matter/front-matter.ts'
import { ownCommand } from '../../system/own-package.ts'
import { flagsOf, hasOptionalValue, type CommandSyntax, type Flag, type FlagValues } from './command-syntax.ts'
import { SetUpError } from './set-up-error.ts'
import { didYouMean } from '../../system/text/did-you-mean.ts'

interface ParsedFlags<Syntax extends CommandSyntax> {
  readonly values: FlagValues<Syntax>
  readonly positionals: readonly string[]
}

/**
 * Reads the arguments after `mdtest <command>`: flags and positionals.
 * @throws {SetUpError} for an unknown flag, a value that is missing or wrong, or anything else where only flags are taken.
 */
export function parseFlags<Syntax extends CommandSyntax>(args: readonly string[], syntax: Syntax): ParsedFlags<Syntax> {
  const program = programOf(syntax)
  const optional = Object.values(syntax.flags).filter(hasOptionalValue)
  // A value is given with the equals sign: a path behind a blank is a positional.
  const whole = args.map((arg) => (optional.some(({ flag }) => arg === `--${flag}`) ? `${arg}=` : arg))
  try {
    program.parse(whole, { from: 'user' })
  } catch (error: unknown) {
    if (!(error instanceof CommanderError)) throw error
    const said = describe(error, syntax)
    const see = /[.?]$/.test(said) ? ' See' : '; see'
    throw new SetUpError(`${said}${see} \`${ownCommand} ${syntax.command} --help\`.`)
  }
  const [unexpected] = syntax.isFlagsOnly ? program.args : []
  if (unexpected !== undefined) {
    throw new SetUpError(`Unexpected \`${unexpected}\`; see \`mdtest ${syntax.command} --help\`.`)
  }
  const given = program.opts<Record<string, unknown>>()
  const values = Object.entries(flagsOf(syntax)).flatMap(
    ([name, { flag }]) => (given[flag] === undefined ? [] : [[name, given[flag]] as const]), // a pair
  )
  return { values: Object.fromEntries(values) as FlagValues<Syntax>, positionals: program.args } // by the readers
}

/** What `mdtest <command> --help` prints. */
export function formatHelp(syntax: CommandSyntax): string {
  return programOf(syntax).helpInformation()
}

const maxColumns = 120

function programOf(syntax: CommandSyntax): Command {
  const { command, usage, about, examples = [], exitCodes } = syntax
  const shown = examples.map((example) => `  $ ${ownCommand} ${command} ${example}`.trimEnd())
  const foot = [...(shown.length === 0 ? [] : ['Examples:', ...shown, '']), `Exit codes: ${exitCodes}`, '']
  const program = new Command(`mdtest ${command}`)
    .usage(usage.join(`\n       mdtest ${command} `))
    .description(about)
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined, getOutHelpWidth: () => maxColumns })
    .configureHelp({ optionTerm: ({ flags }) => flags.replace(' [', '[=') })
    .allowExcessArguments()
    .showSuggestionAfterError(false)
  for (const flag of Object.values(flagsOf(syntax))) program.addOption(optionOf(flag))
  const information = program.helpInformation.bind(program)
  program.helpInformation = () => `${information().trimEnd()}\n\n${foot.join('\n')}`
  return program
}

function optionOf(given: Flag): Option {
  const { flag, short, value, summary, read, isRepeatable, conflicts = [] } = given
  const form = value === undefined ? '' : hasOptionalValue(given) ? value.replace('[=', ' [') : ` <${value}>`
  const option = new Option(`${short === undefined ? '' : `-${short}, `}--${flag}${form}`, summary)
  // Known by its own name, also where another language would take it as a denial.
  option.attributeName = () => flag
  option.negate = false
  return option.conflicts([...conflicts]).argParser((text: string, before: unknown) => {
    const told = read === undefined ? text : read(text, `--${flag}`)
    return isRepeatable ? [...(Array.isArray(before) ? before : []), told] : told
  })
}

/** In our words: what is wrong, and what was meant. */
function describe({ message }: CommanderError, syntax: CommandSyntax): string {
  const text = message.replace(/^error: /, '')
  const [, flag] = /^unknown option '--([^']+)'$/.exec(text) ?? []
  if (flag === undefined) return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  const replaced = replacedSettings.get(flag.replace(/[.=].*/, ''))
  const names = Object.values(flagsOf(syntax)).map((known) => `--${known.flag}`)
  const hint = replaced === undefined ? didYouMean(`--${flag}`, names) : ` ${replaced}`
  return `Unknown option '--${flag}'${hint === '' ? '' : `.${hint}`}`
}
