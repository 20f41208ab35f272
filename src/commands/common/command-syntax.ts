/** Reads what is given for a flag, whose name comes with its hyphens. Throws a `SetUpError` for a wrong value. */
export type FlagReader<Value> = (text: string, flag: string) => Value

/** A flag of a command. */
export interface Flag {
  /** Its long name, without hyphens. */
  readonly flag: string
  /** One letter. */
  readonly short?: string
  /** What its value is called in the help; `[=DIR]`: may be left out, and is an empty text then. Absent: it has none. */
  readonly value?: string
  /** Default: the text as it is. */
  readonly read?: FlagReader<unknown>
  /** Whether it can be given more than once. */
  readonly isRepeatable?: true
  /** For the help. */
  readonly summary: string
  /** Flags, by the names of these, that it does not go together with. */
  readonly conflicts?: readonly string[]
}

/** What a command takes, by the names that its values get; reading it and its help are made from this. */
export interface CommandSyntax {
  readonly command: string
  /** What stands behind the name of the command, each way to use it. */
  readonly usage: readonly string[]
  /** What the command does, in lines. */
  readonly about: string
  /** In the order of the help; `--help` is added to them. */
  readonly flags: Readonly<Record<string, Flag>>
  /** Whether anything beside flags is refused. */
  readonly isFlagsOnly?: true
  /** What may stand behind the name of the command, for a reader to begin with. */
  readonly examples?: readonly string[]
  readonly exitCodes: string
}

const help = { flag: 'help', short: 'h', summary: 'show this text' } satisfies Flag

/** All flags of a command, by the names of their values. */
export function flagsOf({ flags }: CommandSyntax): Readonly<Record<string, Flag>> {
  return { ...flags, help }
}

/** What was given for flags; absent where a flag was not given. */
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

/** Whether `--flag` may stand without a value; one that is given needs the equals sign. */
export function hasOptionalValue({ value }: Flag): boolean {
  return value?.startsWith('[') ?? false
}
