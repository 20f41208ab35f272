import type { CliContext } from '../common/cli-context.ts'
import type { CommandSyntax } from '../common/command-syntax.ts'
import type { CommandEnding } from '../common/exit-code.ts'
import { formatHelp, parseFlags } from '../common/parse-flags.ts'
import { runSyntax, toRunFlags } from '../run/flags.ts'
import { runAsAsked } from '../run/run.ts'

const {
  replay: _replay,
  update: _update,
  interactive: _interactive,
  headless: _headless,
  ...runFlags
} = runSyntax.flags

export const recordSyntax = {
  command: 'record',
  usage: ['[paths…] [options]'],
  about: `Has the agent carry out specs, and writes what it did beside each of them, X.recording.md: blocks that are run
in its place from then on. Only what mdtest could repeat without the agent, and what can fail, is written.`,
  flags: { ...runFlags, check: { flag: 'check', summary: 'write nothing, and say what would be written' } },
  examples: ['shop.test.md', '--check'],
  exitCodes: '0 all passed and are recorded, 1 any is not, 2 nothing could be run, 130/143 interrupted.',
} satisfies CommandSyntax

/**
 * `mdtest record`: runs specs with the agent and records what it did.
 * @throws {SetUpError} if nothing can be run.
 */
export async function record(args: readonly string[], cli: CliContext): Promise<CommandEnding> {
  const { values, positionals } = parseFlags(args, recordSyntax)
  const { check = false, ...others } = values
  const flags = toRunFlags({ values: others, positionals })
  if (flags.help) {
    cli.stdout.write(formatHelp(recordSyntax))
    return { command: 'run', end: 'passed' }
  }
  // What is recorded is checked without an agent.
  const replay = check ? 'auto' : 'off'
  const settings = { ...flags.settings, recordings: true, replay } as const // literal modes
  return runAsAsked({ ...flags, settings, interface: 'never', record: check ? 'check' : 'write' }, cli)
}
