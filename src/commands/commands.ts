import type { RunCommand } from './common/command.ts'

/** For the help, in a few words; and how to load it, with what it needs, which for most commands is much. */
type Row = readonly [summary: string, load: () => Promise<RunCommand>]

/** In the order of the help. */
const rows: Readonly<Record<string, Row>> = {
  run: ['run markdown specs (*.test.md)', async () => (await import('./run/run.ts')).run],
  record: [
    'write what the agent does beside the specs, so that the next run needs no agent',
    async () => (await import('./record/record.ts')).record,
  ],
  list: [
    'print the plan of specs, and who does what, without running anything',
    async () => (await import('./list/list.ts')).list,
  ],
  show: [
    'show what became of the newest run of a spec, and what the agent did',
    async () => (await import('./show/show.ts')).show,
  ],
  coverage: [
    'tell of each requirement of OpenSpec, Spec Kit and Gherkin how well it is proved',
    async () => (await import('./coverage/coverage.ts')).coverage,
  ],
  gate: ['run the gates of a project: no commit with red tests', async () => (await import('./gate/gate.ts')).gate],
  init: [
    'add the plugin to the Vitest configuration, with an example',
    async () => (await import('./init/init.ts')).init,
  ],
  mcp: ['serve the tool run_test to a coding agent', async () => (await import('./mcp/mcp.ts')).mcp],
  fix: [
    'have an agent fix failing tests, and run them until they pass',
    async () => (await import('./fix/fix.ts')).fix,
  ],
  sessions: ['list what `mdtest fix` has done', async () => (await import('./sessions/sessions.ts')).sessions],
  demo: ['show what all this is about, without an agent', async () => (await import('./demo/demo.ts')).demo],
  docs: ['print a page of the documentation', async () => (await import('./docs/docs.ts')).docs],
}

export const commands = Object.entries(rows).map(([name, [summary, load]]) => ({ name, summary, load }))
