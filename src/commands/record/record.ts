import { command, flag, type CommandSyntax } from '../common/command.ts'
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
  flags: { ...runFlags, check: flag('--check', 'write nothing, and say what would be written') },
  examples: ['shop.test.md', '--check'],
  exitCodes: '0 all passed and are recorded, 1 any is not, 2 nothing could be run, 130/143 interrupted.',
} satisfies CommandSyntax

export const record = command(recordSyntax, ({ check = false, ...given }, cli) => {
  const flags = toRunFlags(given)
  // What is recorded is checked without an agent.
  const settings = { ...flags.settings, recordings: true, replay: check ? 'auto' : 'off' } as const // literal modes
  return runAsAsked({ ...flags, settings, interface: 'never', record: check ? 'check' : 'write' }, cli)
})
