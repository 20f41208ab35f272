import { parseArgs, type ParseArgsConfig } from 'node:util'
import { didYouMean } from '../../system/text/did-you-mean.ts'
import { messageOf } from '../../system/error-facts.ts'
import { ownCommand } from '../../system/own-command.ts'
import { SetUpError } from './set-up-error.ts'

/** The flags that a command knows, for `parseArgs`. */
type FlagOptions = NonNullable<ParseArgsConfig['options']>
type ParsedFlags<Options extends FlagOptions> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>

/**
 * Reads the arguments after `mdtest <command>`: flags and positionals.
 * @param options literals (`as const`): the type of the result is inferred from them
 * @throws {SetUpError} for an unknown flag, or one without its value.
 */
export function parseFlags<Options extends FlagOptions>(
  args: readonly string[],
  { command, options }: { readonly command: string; readonly options: Options },
): ParsedFlags<Options> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error: unknown) {
    const message = messageOf(error).split('. ', 1)[0]
    const [, flag] = /^Unknown option '--(\S+)'/.exec(message ?? '') ?? []
    const names = Object.keys(options).map((name) => `--${name}`)
    const hint = flag === undefined ? '' : didYouMean(`--${flag}`, names)
    if (hint !== '') throw new SetUpError(`${message}.${hint} See \`${ownCommand} ${command} --help\`.`)
    throw new SetUpError(`${message}; see \`${ownCommand} ${command} --help\`.`)
  }
}

/** Takes a flag without a value for one with an empty value, which `parseArgs` does not know; a value needs the equals sign. */
export function withOptionalValue(args: readonly string[], flag: string): readonly string[] {
  return args.map((arg) => (arg === flag ? `${flag}=` : arg))
}
