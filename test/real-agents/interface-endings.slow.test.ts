import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, test, type ExpectStatic } from 'vitest'
import { happensWithin } from '../support/leftovers.ts'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { openTmux, tmuxSkipReason } from '../support/tmux.ts'
import { claude, codex, createRealProject, skipReason, type RealProject } from './real-project.ts'

const why = skipReason === '' ? tmuxSkipReason : skipReason

/** At SIGUSR2 its worker dies, in the middle of whatever it does. */
const config = (agent: string): string => `import { mdtest } from 'vitest-mdtest'
process.on('worker', (worker) => process.on('SIGUSR2', () => worker.terminate()))
export default { plugins: [mdtest({ agent: '${agent}' })] }
`

/**
 * Runs the spec round after round. Each adds a line to \`rounds\`: exit code, whether the line of the terminal is as before, and of
 * tmux whether the other screen, the cursor, any mouse mode and the keypad are on.
 */
const script = `
for timeout in 10m 10m 10m 10m 5s; do
  stty -g > before
  sh -c 'echo $$ > pid; exec "$0" node_modules/vitest-mdtest/dist/bin.js run --timeout '$timeout ${process.execPath}
  code=$?
  n=0; until stty -g > after; cmp -s before after || [ $((n += 1)) -gt 100 ]; do sleep 0.1; done
  line=changed; cmp -s before after && line=same
  modes=$(tmux display-message -p '#{alternate_on}#{cursor_flag}#{mouse_any_flag}#{keypad_flag}')
  clear
  echo "$code $line $modes" >> rounds
done`

describe.skipIf(why !== '').concurrent.each([
  { ...claude, atWork: 'Next: read', interrupted: 'Interrupted' },
  { ...codex, atWork: 'esc to interrupt', interrupted: 'Conversation interrupted' },
])(`$title in a terminal${why}`, ({ agent, atWork, interrupted, title: _title, ...more }) => {
  test('leaves it as it was, and no process, however the run is ended', { timeout: 300_000 }, async ({ expect }) => {
    await using real = await createRealProject({
      ...more,
      options: { agent },
      // It reads the spec, then thinks for ever.
      script: (conversation) => (conversation.results.length === 0 ? reportSpec(conversation) : { kind: 'silence' }),
      files: {
        'vitest.config.js': config(agent),
        'rounds.sh': script,
        'slow.test.md': '# Sum\n\n## One\n\nAdd one and one.\n',
      },
    })
    // Then Claude Code does not ask whether to trust the folder.
    const env = { ...real.env, NO_COLOR: '1', CLAUDE_CODE_SANDBOXED: '1' }
    const ends = [130, 143, 1, 137, 1]
    expect(await endEachWay(real, { env, atWork, interrupted, expect })).toEqual(
      ends.map((code) => `${code} same 0100`),
    )
    await expect.poll(() => real.leftovers(), { timeout: 20_000 }).toEqual([])
  })
})

interface Looks {
  readonly env: Readonly<Record<string, string>>
  /** What the screen shows while the agent works, and after Ctrl-C. */
  readonly atWork: string
  readonly interrupted: string
  readonly expect: ExpectStatic
}

/** The rounds, ended by keys, by signals, by the end of the worker and by the limit on time. */
async function endEachWay(real: RealProject, { env, atWork, interrupted, expect }: Looks): Promise<readonly string[]> {
  using terminal = openTmux('sh rounds.sh', { cwd: real.project.dir, env })
  const kill = (signal: NodeJS.Signals): void => void process.kill(pidIn(real), signal)

  await terminal.shows(atWork)
  kill('SIGTSTP')
  await terminal.shows('carries out')
  expect(await happensWithin(20_000, () => isStopped(pidIn(real)))).toBe(true)
  expect(terminal.lineSettings()).toBe(readFileSync(real.project.path('before'), 'utf8'))
  kill('SIGCONT')
  terminal.resize(80, 30)
  await terminal.shows(atWork)
  terminal.press('C-c')
  await terminal.shows(interrupted)
  await sleep(1_200)
  terminal.press('C-c', 'C-c')
  await roundsOf(real, 1)

  await terminal.shows(atWork)
  kill('SIGTERM')
  await roundsOf(real, 2)

  await terminal.shows(atWork)
  kill('SIGUSR2')
  await roundsOf(real, 3)

  await terminal.shows(atWork)
  kill('SIGKILL')
  await roundsOf(real, 4)

  await terminal.ended()
  return roundsOf(real, 5)
}

function pidIn({ project }: RealProject): number {
  return Number(readFileSync(project.path('pid'), 'utf8'))
}

function isStopped(pid: number): boolean {
  return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('T')
}

/** Waits for the end of so many rounds. */
async function roundsOf({ project }: RealProject, count: number): Promise<readonly string[]> {
  const read = (): readonly string[] => {
    try {
      return readFileSync(project.path('rounds'), 'utf8').trimEnd().split('\n')
    } catch {
      return [] // The first is not over.
    }
  }
  await happensWithin(60_000, () => read().length >= count)
  return read()
}
