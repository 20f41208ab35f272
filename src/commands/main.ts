import { didYouMean } from '../system/text/did-you-mean.ts'
import { MdtestError } from '../system/mdtest-error.ts'
import { ownCommand } from '../system/own-command.ts'
import { exitCodeOf, type CommandEnding } from './common/exit-code.ts'
import { SetUpError } from './common/set-up-error.ts'
import type { Surroundings } from './common/surroundings.ts'
import { plainText } from '../system/text/plain-text.ts'
import { version } from '../system/version.ts'

const help = `Usage: mdtest <command> [options]

Commands:
  run       run markdown specs (*.test.md)
  list      print the plan of specs, and who does what, without running anything
  show      show what became of the newest run of a spec, and what the agent did
  report    write the HTML report anew from what runs left on disk
  gate      run the gates of a project: no commit with red tests
  init      add the plugin to the Vitest configuration, with an example
  mcp       serve the tool run_test to a coding agent
  fix       have an agent fix failing tests, and run them until they pass
  sessions  list what \`mdtest fix\` has done
  docs      print a page of the documentation

  mdtest <command> --help shows the options of a command.
  mdtest --version prints the version.
`

/** Runs one command. Gives the exit code; nothing is thrown for what a user can get wrong. */
export async function main(args: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    return exitCodeOf(await dispatch(args, surroundings))
  } catch (error: unknown) {
    if (!(error instanceof SetUpError || error instanceof MdtestError)) throw error
    surroundings.stderr.write(`mdtest: ${plainText(error.message)}\n`)
    return exitCodeOf({ command: 'none', end: 'set-up-error' })
  }
}

async function dispatch([command, ...rest]: readonly string[], surroundings: Surroundings): Promise<CommandEnding> {
  switch (command) {
    case 'run': {
      const { run } = await import('./run/run.ts')
      return run(rest, surroundings)
    }
    case 'list': {
      const { list } = await import('./list/list.ts')
      return list(rest, surroundings)
    }
    case 'gate': {
      const { gate } = await import('./gate/gate.ts')
      return gate(rest, surroundings)
    }
    case 'init': {
      const { init } = await import('./init/init.ts')
      return init(rest, surroundings)
    }
    case 'show': {
      const { show } = await import('./show/show.ts')
      return show(rest, surroundings)
    }
    case 'report': {
      const { report } = await import('./report/report.ts')
      return report(rest, surroundings)
    }
    case 'mcp': {
      const { mcp } = await import('./mcp/mcp.ts')
      return mcp(rest, surroundings)
    }
    case 'fix': {
      const { fix } = await import('./fix/fix.ts')
      return fix(rest, surroundings)
    }
    case 'sessions': {
      const { sessions } = await import('./report/sessions.ts')
      return sessions(rest, surroundings)
    }
    case 'docs': {
      const { docs } = await import('./docs/docs.ts')
      return docs(rest, surroundings)
    }
    case '--version':
      surroundings.stdout.write(`${version()}\n`)
      return { command: 'none', end: 'done' }
    case '--help':
    case '-h':
    case 'help':
      surroundings.stdout.write(help)
      return { command: 'none', end: 'done' }
    case undefined:
      throw new SetUpError(`Which command? \`${ownCommand} --help\` lists them.`)
    default:
      throw new SetUpError(
        `There is no command \`${command}\`.${didYouMean(command, commands())} \`${ownCommand} --help\` lists them.`,
      )
  }
}

/** Names of all commands, as the help has them. */
function commands(): readonly string[] {
  return [...help.matchAll(/^ {2}([a-z]+) {2}/gm)].map(([, name = '']) => name)
}
