import { Command, CommanderError, Option } from 'commander'
import { replacedSettings } from '../../spec/front-matter/front-matter.ts'
import { ownCommand } from '../../system/mdtest-package.ts'
import { didYouMean } from '../../system/text/did-you-mean.ts'
import { type CliContext, SetUpError } from './cli.ts'

/** Parses a flag's value. `flag` is the name with hyphens. Throws a `SetUpError` for an invalid value. */
export type FlagReader<Value> = (text: string, flag: string) => Value

export interface Flag {
  readonly flag: string
  readonly short?: string
  /** Name of the flag's value in the help, `[=DIR]` if the value is optional. Absent if the flag has no value. */
  readonly value?: string
  readonly read?: FlagReader<unknown>
  readonly isRepeatable?: true
  readonly summary: string
  readonly conflicts?: readonly string[]
}

type FlagRest = Partial<Pick<Flag, 'read' | 'isRepeatable' | 'conflicts'>>

type FlagOf<Form extends string, Rest> = Pick<Flag, 'flag' | 'short' | 'summary'> &
  (Form extends `${string}--${string} ${string}` | `${string}[=${string}` ? { readonly value: string } : object) &
  Rest

export function flag<const Form extends string, const Rest extends FlagRest = object>(
  form: Form,
  summary: string,
  rest?: Rest,
): FlagOf<Form, NoInfer<Rest>> {
  const [, short, name = '', value] = /^(?:-(\w), )?--([\w-]+)(?: ?(\S+))?$/.exec(form) ?? []
  const parts = { flag: name, summary, ...(short && { short }), ...(value && { value }), ...rest }
  return parts as FlagOf<Form, Rest> // `form` determines the type
}

export interface CommandSyntax {
  readonly command: string
  readonly usage: readonly string[]
  readonly about: string
  readonly flags: Readonly<Record<string, Flag>>
  readonly isFlagsOnly?: true
  readonly examples?: readonly string[]
  readonly exitCodes: string
}

const help = flag('-h, --help', 'show this text')

function flagsOf({ flags }: CommandSyntax): Readonly<Record<string, Flag>> {
  return { ...flags, help }
}

export type FlagValues<Syntax extends CommandSyntax> = {
  readonly [Name in keyof Syntax['flags'] | 'help']?: Name extends keyof Syntax['flags']
    ? ValueOf<Syntax['flags'][Name]>
    : boolean
}

type ValueOf<Given extends Flag> = Given extends { readonly value: string }
  ? Given extends { readonly isRepeatable: true }
    ? ReadBy<Given>[]
    : ReadBy<Given>
  : boolean

type ReadBy<Given extends Flag> = Given extends { readonly read: FlagReader<infer Value> } ? Value : string

/** Returns the exit code. Default: 0 */
export type RunCommand = (args: readonly string[], cli: CliContext) => Promise<number | void>

export type Given<Syntax extends CommandSyntax> = FlagValues<Syntax> & { readonly paths: readonly string[] }

export function command<Syntax extends CommandSyntax>(
  syntax: Syntax,
  act: (given: Given<Syntax>, cli: CliContext) => Promise<number | void>,
): RunCommand {
  return async (args, cli) => {
    const { values, positionals } = parseFlags(args, syntax)
    if (!values.help) return await act({ ...values, paths: positionals }, cli)
    cli.stdout.write(formatHelp(syntax))
  }
}

/** @throws {SetUpError} for an unknown flag, a wrong or missing value, or a path if the command takes only flags */
export function parseFlags<Syntax extends CommandSyntax>(
  args: readonly string[],
  syntax: Syntax,
): { readonly values: FlagValues<Syntax>; readonly positionals: readonly string[] } {
  const program = programOf(syntax)
  const optional = Object.values(syntax.flags).filter(hasOptionalValue)
  // Give each optional value an equals sign. Otherwise Commander would take the next word, a path, as the value.
  const whole = args.map((arg) => (optional.some((each) => arg === `--${each.flag}`) ? `${arg}=` : arg))
  try {
    program.parse(whole, { from: 'user' })
  } catch (error: unknown) {
    if (!(error instanceof CommanderError)) throw error
    const said = describeSyntaxError(error, syntax)
    const see = /[.?]$/.test(said) ? ' See' : '; see'
    throw new SetUpError(`${said}${see} \`${ownCommand} ${syntax.command} --help\`.`)
  }
  const [unexpected] = syntax.isFlagsOnly ? program.args : []
  if (unexpected !== undefined) {
    throw new SetUpError(`Unexpected \`${unexpected}\`; see \`mdtest ${syntax.command} --help\`.`)
  }
  const given = program.opts<Record<string, unknown>>()
  const values = Object.entries(flagsOf(syntax)).map(([name, each]) => [name, given[each.flag]] as const)
  const there = values.filter(([, value]) => value !== undefined)
  return { values: Object.fromEntries(there) as FlagValues<Syntax>, positionals: program.args } // from the readers
}

function hasOptionalValue({ value }: Flag): boolean {
  return value?.startsWith('[') ?? false
}

export function formatHelp(syntax: CommandSyntax): string {
  const { command: name, examples = [], exitCodes } = syntax
  const shown = examples.map((example) => `  $ ${ownCommand} ${name} ${example}`.trimEnd())
  const foot = [...(shown.length === 0 ? [] : ['Examples:', ...shown, '']), `Exit codes: ${exitCodes}`, '']
  return `${programOf(syntax).helpInformation().trimEnd()}\n\n${foot.join('\n')}`
}

function programOf(syntax: CommandSyntax): Command {
  const program = new Command(`mdtest ${syntax.command}`)
    .usage(syntax.usage.join(`\n       mdtest ${syntax.command} `))
    .description(syntax.about.replaceAll('\n', ' '))
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined, getOutHelpWidth: () => 120 })
    .configureHelp({ optionTerm: ({ flags }) => flags.replace(' [', '[=') })
    .allowExcessArguments()
    .showSuggestionAfterError(false)
  for (const each of Object.values(flagsOf(syntax))) program.addOption(optionOf(each))
  return program
}

function optionOf(given: Flag): Option {
  const { flag: name, short, value, summary, read, isRepeatable, conflicts = [] } = given
  const form = value === undefined ? '' : hasOptionalValue(given) ? value.replace('[=', ' [') : ` <${value}>`
  const option = new Option(`${short === undefined ? '' : `-${short}, `}--${name}${form}`, summary)
  // Commander would treat a flag like `--no-color` as the negation of `--color`.
  option.attributeName = () => name
  option.negate = false
  return option.conflicts([...conflicts]).argParser((text: string, before: unknown) => {
    const told = read === undefined ? text : read(text, `--${name}`)
    return isRepeatable ? [...(Array.isArray(before) ? before : []), told] : told
  })
}

const replacedFlags = new Map([
  ['list --cost', 'Costs are shown in the last lines of a run, in the report and by `mdtest show`.'],
  ['fix --report', 'Each session has `artifacts/report.md`.'],
  ['gate --root', 'Use `--dir DIR`.'],
])

function describeSyntaxError({ message }: CommanderError, syntax: CommandSyntax): string {
  const text = message.replace(/^error: /, '')
  const [, unknown] = /^unknown option '--?([^']+)'$/.exec(text) ?? []
  if (unknown === undefined) return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  const names = Object.values(flagsOf(syntax)).map((known) => `--${known.flag}`)
  const name = unknown.replace(/[.=].*/, '')
  const replaced = replacedFlags.get(`${syntax.command} --${name}`) ?? replacedSettings.get(name)
  const hint = replaced === undefined ? didYouMean(`--${unknown}`, names) : ` ${replaced}`
  return `Unknown${text.slice('unknown'.length)}${hint === '' ? '' : `.${hint}`}`
}
