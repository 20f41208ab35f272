import type { Project } from './create-project.ts'
import { leftAfter } from './leftovers.ts'
import { lane } from './lane.ts'
import { projectWithInterface } from './scripted-interface.ts'
import { openUserTerminal, type UserTerminal } from './user-terminal.ts'

export const specOf = (name: string): string => `# ${name}\n\n## Add a mug\n\nPut a mug into the cart.\n`

/** `mdtest run` in a terminal, whose agent is ready. */
export interface Session extends AsyncDisposable {
  readonly project: Project
  readonly terminal: UserTerminal
  /** Sends a signal to mdtest. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Waits for the end; what `mdtest run` exited with, and whether the terminal is as it was. */
  end(): Promise<{ readonly code: string | undefined; readonly isRestored: boolean; readonly left: readonly string[] }>
}

/** Somebody runs `mdtest run` in a terminal; the agent is ready. */
export async function openInterface({
  specs = { 'shop.test.md': specOf('Shop') },
  env: added = {},
  flags = '',
  programs = {},
}: {
  specs?: Record<string, string>
  env?: Record<string, string>
  flags?: string
  programs?: Record<string, string>
} = {}): Promise<Session> {
  const { project, env } = await projectWithInterface(specs, programs)
  const command = `echo $$ > pid; exec ${lane.node} node_modules/vitest-mdtest/dist/bin.js run `
  // Whoever was killed cannot put the terminal back before the shell goes on.
  const settle = 'n=0; until stty -g > after; cmp -s before after || [ $((n += 1)) -gt 1000 ]; do sleep 0.1; done'
  const line = `stty -g > before; sh -c '${command}${flags}'; echo $? > code; ${settle}`
  const terminal = openUserTerminal(line, { cwd: project.dir, env: { ...env, ...added } })
  await terminal.shows(Object.keys(programs).length === 0 ? 'ready' : 'carries out')
  return {
    project,
    terminal,
    kill: async (signal) => void process.kill(Number(await project.read('pid')), signal),
    async end() {
      await terminal.ended
      const [before, after, code] = await Promise.all(['before', 'after', 'code'].map((name) => project.read(name)))
      return { code: code?.trim(), isRestored: before === after, left: await leftAfter(project.dir) }
    },
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  }
}

/** Undone is what the agent's interface had set, its screen last. */
export const restored = '\u001b[<1u\u001b[?1000l\u001b[?1006l\u001b[?2004l\u001b[?25h\u001b[?1049l\u001b[0m\u001b[23;0t'
export const modesAtEnd = (output: string): readonly string[] =>
  (/(?:\u001b\[[?<]?[\d;]*[a-z]){6,}$/.exec(output.slice(0, output.lastIndexOf('\u001b[23;0t') + 7))?.[0] ?? '')
    .split(/(?=\u001b)/)
    .toSorted()
