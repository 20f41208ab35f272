import { MdtestError } from '../system/mdtest-error.ts'
import { ownCommand, version } from '../system/own-package.ts'
import { didYouMean } from '../system/text/did-you-mean.ts'
import { plainText } from '../system/text/plain-text.ts'
import { commands } from './commands.ts'
import type { CliContext } from './common/cli-context.ts'
import { exitCodeOf, type CommandEnding } from './common/exit-code.ts'
import { SetUpError } from './common/set-up-error.ts'

/** Runs one command. Gives the exit code; nothing is thrown for what a user can get wrong. */
export async function main(args: readonly string[], cli: CliContext): Promise<number> {
  try {
    return exitCodeOf((await dispatch(args, cli)) ?? { command: 'none', end: 'done' })
  } catch (error: unknown) {
    if (!(error instanceof SetUpError || error instanceof MdtestError)) throw error
    cli.stderr.write(`mdtest: ${plainText(error.message)}\n`)
    return exitCodeOf({ command: 'none', end: 'set-up-error' })
  }
}

async function dispatch([name, ...rest]: readonly string[], cli: CliContext): Promise<CommandEnding | void> {
  if (name === undefined) throw new SetUpError(`Which command? \`${ownCommand} --help\` lists them.`)
  if (name === '--version') return void cli.stdout.write(`${version()}\n`)
  if (['--help', '-h', 'help'].includes(name)) return void cli.stdout.write(help())
  const command = commands.find((each) => each.name === name)
  if (command !== undefined) return await (await command.load())(rest, cli)
  const gone = replaced.get(name)
  if (gone !== undefined) throw new SetUpError(`There is no command \`${name}\`${gone}`)
  const names = commands.map((each) => each.name)
  throw new SetUpError(
    `There is no command \`${name}\`.${didYouMean(name, names)} \`${ownCommand} --help\` lists them.`,
  )
}

/** Commands that there were, and what to do in place of them. */
const replaced = new Map([
  ['report', ': `run --report` and the reporters write the report; shards are merged by `npx vitest --merge-reports`.'],
  ['promote', ': copy the blocks of the recording into the spec.'],
])

function help(): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  return `Usage: mdtest <command> [options]

Commands:
${commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`).join('')}
  mdtest <command> --help shows the options of a command.
  mdtest --version prints the version.
`
}
