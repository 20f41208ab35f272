import { errorCode, messageOf } from '../system/error-facts.ts'
import { MdtestError } from '../system/mdtest-error.ts'
import { ownCommand, version } from '../system/mdtest-package.ts'
import { didYouMean } from '../system/text/did-you-mean.ts'
import { plainText } from '../system/text/plain-text.ts'
import { type CliContext, SetUpError, exitCodes } from './common/cli.ts'
import type { RunCommand } from './common/define-command.ts'

/** Runs a command and returns its exit code. Errors that users can cause are printed, not thrown. */
export async function main(args: readonly string[], cli: CliContext): Promise<number> {
  try {
    return (await dispatch(args, cli)) ?? exitCodes.none.done
  } catch (error: unknown) {
    if (!(error instanceof SetUpError || error instanceof MdtestError)) throw error
    cli.stderr.write(`mdtest: ${plainText(error.message)}\n`)
    return exitCodes.none['set-up-error']
  }
}

async function dispatch([name, ...rest]: readonly string[], cli: CliContext): Promise<number | void> {
  if (name === undefined) throw new SetUpError(`Which command? \`${ownCommand} --help\` lists them.`)
  if (name === '--version') return void cli.stdout.write(`${version()}\n`)
  if (['--help', '-h', 'help'].includes(name)) return void cli.stdout.write(help())
  const command = commands.find((each) => each.name === name)
  if (command !== undefined) {
    const load = async (): Promise<number | void> => (await command.load())(rest, cli)
    return await load().catch((error: unknown) => Promise.reject(withoutVitest(error, name)))
  }
  const gone = replaced.get(name)
  if (gone !== undefined) throw new SetUpError(`There is no command \`${name}\`${gone}`)
  const names = commands.map((each) => each.name)
  throw new SetUpError(
    `There is no command \`${name}\`.${didYouMean(name, names)} \`${ownCommand} --help\` lists them.`,
  )
}

/** If Vitest is missing, explains how to install it. Vitest is an optional peer: some commands do not need it. */
function withoutVitest(error: unknown, name: string): unknown {
  const isMissing = errorCode(error)?.endsWith('MODULE_NOT_FOUND') === true && /'vitest['/]/.test(messageOf(error))
  if (!isMissing) return error
  const once = `npx -p vitest -p vitest-mdtest mdtest ${name}`
  return new SetUpError(
    `\`${name}\` needs Vitest, which is not installed: \`npm install -D vitest\`, or, without installing, \`${once}\`.`,
  )
}

const replaced = new Map([['promote', ': copy the blocks of the recording into the spec.']])

function help(): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  return `Usage: mdtest <command> [options]

Commands:
${commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`).join('')}
  mdtest <command> --help shows the options of a command.
  mdtest --version prints the version.
`
}

/** Each command is loaded only when it is called: `--help` needs only the summaries. */
type Row = readonly [summary: string, load: () => Promise<object>]

const rows: Readonly<Record<string, Row>> = {
  run: ['run markdown specs (*.test.md)', () => import('./run/run.ts')],
  record: [
    'save what the agent does beside the specs, so that the next run needs no agent',
    () => import('./record/record.ts'),
  ],
  list: ['print the plan of specs, and who does what, without running anything', () => import('./list/list.ts')],
  show: ['show the result of the newest run of a spec, and what the agent did', () => import('./show/show.ts')],
  login: ['sign in to a web application by hand, for browser specs', () => import('./login/login.ts')],
  report: ['post the results in a report to a pull request on GitHub', () => import('./report/report.ts')],
  coverage: [
    'show how well each requirement of OpenSpec, Spec Kit and Gherkin is proved',
    () => import('./coverage/coverage.ts'),
  ],
  gate: ['run the gates of a project, also before each commit', () => import('./gate/gate.ts')],
  init: ['add the plugin to the Vitest configuration, with an example', () => import('./init/init.ts')],
  mcp: ['serve the tool run_test to a coding agent', () => import('./mcp/mcp.ts')],
  fix: ['let an agent fix failing tests, and run them until they pass', () => import('./fix/fix.ts')],
  sessions: ['list the sessions of `mdtest fix`', () => import('./sessions/sessions.ts')],
  demo: ['show what mdtest does, without an agent', () => import('./demo/demo.ts')],
  docs: ['print a page of the documentation', () => import('./docs/docs.ts')],
}

export const commands = Object.entries(rows).map(([name, [summary, loadModule]]) => ({
  name,
  summary,
  load: async () => Reflect.get(await loadModule(), name) as RunCommand, // exported by its name
}))
