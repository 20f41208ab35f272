import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { isDeep } from '../support/depth.ts'
import { happensWithin } from '../support/leftovers.ts'
import type { ModelCall } from '../support/model-reply.ts'
import type { ModelScript } from '../support/model-server.ts'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { openTmux, tmuxSkipReason, type Tmux } from '../support/tmux.ts'
import { claude, codex, codexCodeMode, createRealProject, sampleOf, skipReason } from './real-project.ts'
import type { RealProject, RealProjectSetup } from './real-project.ts'

const spec = (second: string): string => `# Sum

## One

Run \`node sum.mjs one 1\`. It prints "one1".

## Two

Run \`node sum.mjs two 2\`. It prints "${second}".
`

const why = skipReason === '' ? tmuxSkipReason : skipReason

const run = `${process.execPath} node_modules/vitest-mdtest/dist/bin.js run`
/** Then Claude Code does not ask whether to trust the folder. */
const trusting = { CLAUDE_CODE_SANDBOXED: '1' }

/** Runs one spec in a terminal, and does something there. Gives what stands in it at the end. */
async function inTerminal(
  {
    files = { 'right.test.md': spec('two2') },
    ...setup
  }: Partial<RealProjectSetup> & Pick<RealProjectSetup, 'product'>,
  act: (terminal: Tmux) => Promise<void>,
  { flags = '', env = {}, look }: Extra = {},
): Promise<string> {
  const product = { 'sum.mjs': 'console.log(process.argv[2] + process.argv[3])\n' }
  await using real = await createRealProject({ script: reportSpec, ...setup, files: { ...product, ...files } })
  const line = `stty -g > before; ${run} ${flags}; echo "code $?"; stty -g > after`
  const history = await (async () => {
    using terminal = openTmux(line, { cwd: real.project.dir, env: { ...real.env, NO_COLOR: '1', ...env } })
    await act(terminal)
    await terminal.ended()
    return terminal.history()
  })()
  expect(await real.project.read('after')).toBe(await real.project.read('before'))
  await look?.(real)
  // tmux itself takes a moment to go.
  await vi.waitFor(async () => expect(await real.leftovers()).toEqual([]), { timeout: 60_000, interval: 200 })
  return history
}

interface Extra {
  readonly flags?: string
  readonly env?: Readonly<Record<string, string>>
  readonly look?: (real: RealProject) => Promise<void>
}

const products = [claude, codex, codexCodeMode]

// Together, because they wait for what is on the screen.
describe.skipIf(why !== '').concurrent(`in a terminal${why}`, () => {
  test.each(isDeep ? products : products.slice(0, 2))(
    '$title asks its questions, is taken by its word, and quits when it is done',
    async (product) => {
      const files = { 'right.test.md': spec('two2'), 'wrong.test.md': spec('two3') }
      const act = product.agent === 'claude' ? answerQuestions : async (): Promise<void> => undefined
      const look = async ({ model }: RealProject): Promise<void> => {
        // Codex looks for news there, whatever it is told.
        expect(model.strays.filter((stray) => !stray.includes('raw.githubusercontent.com'))).toEqual([])
      }
      const screen = await inTerminal({ product, files }, act, { flags: 'right.test.md wrong.test.md', look })
      expect(screen).toMatch(/mdtest: \w+ is done with wrong\.test\.md > Sum after \d+s: fail/)
      expect(screen).toContain('steps: 3 passed: 3 claimed; 1 failed')
      expect(screen).toMatch(/1 passed, 1 failed\s+code 1/)
    },
  )

  test('codex asks before it leaves its sandbox', async () => {
    const files = { 'right.test.md': '# Sum\n\n## One\n\nRun `node -p "\'one\' + 1"`. It prints "one1".\n' }
    const act = async (terminal: Tmux): Promise<void> => {
      await terminal.shows('Would you like to run the following command?')
      await answer(terminal, 'y')
    }
    const screen = await inTerminal({ product: codex, script: askingToLeave, files }, act)
    expect(screen).toMatch(/1 passed, 0 failed\s+code 0/)
  })

  test('the question that kept claude from beginning is named', async () => {
    const act = async (terminal: Tmux): Promise<void> => {
      await terminal.shows('No, exit')
      await answer(terminal, 'Enter')
    }
    const screen = await inTerminal({ product: claude }, act)
    expect(screen.replaceAll('\n', '')).toMatch(/after \d+s: blocked\. It asks whether to trust this folder/)
    expect(screen.replaceAll('\n', '')).toMatch(/AGENT_CRASHED: .*it asks whether to trust this folder: answer it/)
    expect(screen).toMatch(/1 blocked\s+code 1/)
  })

  test.each(
    sampleOf([
      { ...claude, atWork: 'Next: read', interrupted: 'Interrupted' },
      { ...codex, atWork: 'esc to interrupt', interrupted: 'Conversation interrupted' },
    ]),
  )('it is left as it was, and no process of $title, however the run is ended', async (one) => {
    const { atWork, interrupted, ...product } = one
    await using real = await createRealProject({
      product,
      // It reads the spec, then thinks for ever.
      script: (conversation) => (conversation.results.length === 0 ? reportSpec(conversation) : { kind: 'silence' }),
      files: { 'rounds.sh': rounds, 'slow.test.md': '# Sum\n\n## One\n\nAdd one and one.\n' },
    })
    const { project } = real
    {
      const env = { ...real.env, ...trusting, NO_COLOR: '1' }
      using terminal = openTmux('sh rounds.sh', { cwd: project.dir, env })
      await terminal.shows(atWork)
      terminal.resize(80, 30)
      await terminal.shows(atWork)
      terminal.press('C-c')
      await terminal.shows(interrupted)
      // Two of them within a second would end the run.
      await sleep(1_200)
      terminal.press('C-c', 'C-c')
      const isOver = (): boolean => readdirSync(project.dir).includes('rounds')
      expect(await happensWithin(200_000, isOver)).toBe(true)
      await terminal.shows(atWork)
      process.kill(Number(await project.read('pid')), 'SIGKILL')
      await terminal.ended()
    }
    expect(await project.read('rounds')).toBe('130 same 0100\n137 same 0100\n')
    await vi.waitFor(async () => expect(await real.leftovers()).toEqual([]), { timeout: 60_000, interval: 200 })
  })
})

/**
 * Runs the spec twice. Each round adds a line to \`rounds\`: exit code, whether the line of the terminal is as before, and of tmux
 * whether the other screen, the cursor, any mouse mode and the keypad are on.
 */
const rounds = `
for round in 1 2; do
  stty -g > before
  sh -c 'echo $$ > pid; exec "$0" node_modules/vitest-mdtest/dist/bin.js run' ${process.execPath}
  code=$?
  n=0; until stty -g > after; cmp -s before after || [ $((n += 1)) -gt 600 ]; do sleep 0.1; done
  line=changed; cmp -s before after && line=same
  modes=$(tmux display-message -p '#{alternate_on}#{cursor_flag}#{mouse_any_flag}#{keypad_flag}')
  clear
  echo "$code $line $modes" >> rounds
done`

/** Runs programs outside of its sandbox, for which codex asks. */
const askingToLeave: ModelScript = async (conversation) => {
  const reply = await reportSpec(conversation)
  if (reply.kind !== 'answer' || reply.calls === undefined) return reply
  const calls = reply.calls.map((call): ModelCall => {
    if (typeof call.input === 'string' || !String(call.input.cmd).startsWith('node')) return call
    return { ...call, input: { ...call.input, sandbox_permissions: 'require_escalated', justification: 'It counts.' } }
  })
  return { ...reply, calls }
}

/** Claude Code asks whether it may work in this folder, and before each command that no rule allows. */
async function answerQuestions(terminal: Tmux): Promise<void> {
  await terminal.shows('Yes, I trust this folder')
  await answer(terminal, 'Down', 'Enter')
  terminal.resize(90, 35)
  for (const command of ['sum.mjs one 1', 'sum.mjs two 2', 'sum.mjs one 1', 'sum.mjs two 2']) {
    await terminal.shows(command)
    await terminal.shows('Do you want to proceed?')
    await answer(terminal, 'Enter')
  }
}

/** A key that comes right after a question was drawn is lost. */
async function answer(terminal: Tmux, ...keys: readonly string[]): Promise<void> {
  await sleep(1_500)
  for (const key of keys) {
    terminal.press(key)
    await sleep(300)
  }
}
