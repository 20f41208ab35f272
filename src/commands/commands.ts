import type { RunCommand } from './common/command.ts'

interface Command {
  readonly name: string
  /** For the help, in a few words. */
  readonly summary: string
  /** Loads what it needs, which for most commands is much. */
  readonly load: () => Promise<RunCommand>
}

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  {
    name: 'run',
    summary: 'run markdown specs (*.test.md)',
    load: async () => (await import('./run/run.ts')).run,
  },
  {
    name: 'record',
    summary: 'write what the agent does beside the specs, so that the next run needs no agent',
    load: async () => (await import('./record/record.ts')).record,
  },
  {
    name: 'list',
    summary: 'print the plan of specs, and who does what, without running anything',
    load: async () => (await import('./list/list.ts')).list,
  },
  {
    name: 'show',
    summary: 'show what became of the newest run of a spec, and what the agent did',
    load: async () => (await import('./show/show.ts')).show,
  },
  {
    name: 'coverage',
    summary: 'tell of each requirement of OpenSpec, Spec Kit and Gherkin how well it is proved',
    load: async () => (await import('./coverage/coverage.ts')).coverage,
  },
  {
    name: 'gate',
    summary: 'run the gates of a project: no commit with red tests',
    load: async () => (await import('./gate/gate.ts')).gate,
  },
  {
    name: 'init',
    summary: 'add the plugin to the Vitest configuration, with an example',
    load: async () => (await import('./init/init.ts')).init,
  },
  {
    name: 'mcp',
    summary: 'serve the tool run_test to a coding agent',
    load: async () => (await import('./mcp/mcp.ts')).mcp,
  },
  {
    name: 'fix',
    summary: 'have an agent fix failing tests, and run them until they pass',
    load: async () => (await import('./fix/fix.ts')).fix,
  },
  {
    name: 'sessions',
    summary: 'list what `mdtest fix` has done',
    load: async () => (await import('./sessions/sessions.ts')).sessions,
  },
  {
    name: 'demo',
    summary: 'show what all this is about, without an agent',
    load: async () => (await import('./demo/demo.ts')).demo,
  },
  {
    name: 'docs',
    summary: 'print a page of the documentation',
    load: async () => (await import('./docs/docs.ts')).docs,
  },
]
