import { command, flag, type CommandSyntax } from '../common/define-command.ts'
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
  about: `Runs specs with the agent, and saves its actions beside each spec, in X.recording.md: blocks that later runs
execute instead of the agent. Saves only actions that mdtest could repeat without the agent, and steps that can fail.`,
  flags: { ...runFlags, check: flag('--check', 'write nothing, and show what would be written') },
  examples: ['shop.test.md', '--check'],
  exitCodes: '0 all passed and were recorded, 1 a spec was not, 2 nothing could run, 130/143 interrupted.',
} satisfies CommandSyntax

export const record = command(recordSyntax, ({ check = false, ...given }, cli) => {
  const flags = toRunFlags(given)
  // With `--check`, recordings replace the agent.
  const settings = { ...flags.settings, recordings: true, replay: check ? 'auto' : 'off' } as const
  return runAsAsked({ ...flags, settings, interface: 'never', record: check ? 'check' : 'write' }, cli)
})
