import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { parseJournal } from '../../src/records/journal/journal.ts'
import type { ModelCall } from '../support/model-reply.ts'
import type { ModelScript } from '../support/model-server.ts'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { brokenRecordingsIn, recordingsIn } from '../support/session-recordings.ts'
import { openTmux, tmuxSkipReason, type Tmux } from '../support/tmux.ts'
import { claude, codex, codexCodeMode, createRealProject, skipReason } from './real-project.ts'

const spec = (second: string): string => `# Sum

## One

Run \`node -p "'one' + 1"\`. It prints "one1".

## Two

Run \`node -p "'two' + 2"\`. It prints "${second}".
`

const why = skipReason === '' ? tmuxSkipReason : skipReason

// Together, because they wait for what is on the screen.
describe.skipIf(why !== '').concurrent.each([
  { ...claude, backing: 'steps: 3 passed: 3 evidenced; 1 failed' },
  { ...codex, backing: 'steps: 3 passed: 3 evidenced; 1 failed' },
  // What it does inside of its code is told when it is over: steps but the last settle without their journal.
  { ...codexCodeMode, backing: 'steps: 3 passed: 1 evidenced, 2 claimed; 1 failed' },
])(`$title in a terminal${why}`, ({ agent, title: _title, backing, ...more }) => {
  test('asks its questions there, is read in its transcript, quits when it is done', async ({ expect }) => {
    await using real = await createRealProject({
      ...more,
      options: { agent },
      script: reportSpec,
      files: { 'right.test.md': spec('two2'), 'wrong.test.md': spec('two3') },
    })
    const { project } = real
    const line = `stty -g > before; ${process.execPath} node_modules/vitest-mdtest/dist/bin.js run right.test.md wrong.test.md; echo "code $?"; stty -g > after`
    const screen = await readTerminal(line, { cwd: project.dir, env: { ...real.env, NO_COLOR: '1' } }, agent)
    expect(screen).toMatch(/mdtest: \w+ is done with wrong\.test\.md > Sum after \d+s: fail/)
    expect(screen).toContain(backing)
    expect(screen).toMatch(/1 passed, 1 failed\s+code 1/)
    for (const folder of ['right.logs', 'wrong.logs']) {
      expect(await recordingsIn(project, folder)).toHaveLength(1)
      expect(await brokenRecordingsIn(project, folder)).toEqual([])
    }
    expect(await project.read('after')).toBe(await project.read('before'))
    // Codex looks for news there, whatever it is told.
    expect(real.model.strays.filter((stray) => !stray.includes('raw.githubusercontent.com'))).toEqual([])
    // tmux itself takes a moment to go.
    await expect.poll(() => real.leftovers()).toEqual([])
  })
})

test.skipIf(why !== '')(`a call that is refused in the terminal is no activity${why}`, async () => {
  await using real = await createRealProject({
    options: { agent: 'claude' },
    script: reportSpec,
    files: { 'right.test.md': spec('two2') },
  })
  const line = `${process.execPath} node_modules/vitest-mdtest/dist/bin.js run --silence-timeout 4s; echo "code $?"`
  // Then it does not ask whether to trust the folder.
  const env = { ...real.env, NO_COLOR: '1', CLAUDE_CODE_SANDBOXED: '1' }
  using terminal = openTmux(line, { cwd: real.project.dir, env })
  await terminal.shows('Do you want to proceed?')
  await answer(terminal, 'Escape')
  await terminal.ended()
  expect(terminal.history()).toMatch(/1 blocked\s+code 1/)
  const folder = real.project.path('right.logs')
  const journal = readdirSync(folder).find((name) => name.endsWith('.journal.jsonl')) ?? ''
  const { entries } = parseJournal(readFileSync(join(folder, journal), 'utf8'))
  expect(entries.filter(({ kind }) => kind === 'command')).toEqual([
    expect.objectContaining({ denied: true, activity: false }),
  ])
})

test.skipIf(why !== '')(`codex asks there before it leaves its sandbox${why}`, async () => {
  await using real = await createRealProject({
    ...codex,
    options: { agent: 'codex' },
    script: askingToLeave,
    files: { 'right.test.md': '# Sum\n\n## One\n\nRun `node -p "\'one\' + 1"`. It prints "one1".\n' },
  })
  const line = `${process.execPath} node_modules/vitest-mdtest/dist/bin.js run; echo "code $?"`
  using terminal = openTmux(line, { cwd: real.project.dir, env: { ...real.env, NO_COLOR: '1' } })
  await terminal.shows('Would you like to run the following command?')
  await answer(terminal, 'y')
  await terminal.ended()
  expect(terminal.history()).toMatch(/1 passed, 0 failed\s+code 0/)
})

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

test.skipIf(why !== '')(`names the question that kept claude from beginning${why}`, async () => {
  await using real = await createRealProject({
    options: { agent: 'claude' },
    script: reportSpec,
    files: { 'right.test.md': spec('two2') },
  })
  const line = `${process.execPath} node_modules/vitest-mdtest/dist/bin.js run; echo "code $?"`
  using terminal = openTmux(line, { cwd: real.project.dir, env: { ...real.env, NO_COLOR: '1' } })
  await terminal.shows('No, exit')
  await answer(terminal, 'Enter')
  await terminal.ended()
  expect(terminal.history().replaceAll('\n', '')).toMatch(/after \d+s: blocked\. It asks whether to trust this folder/)
  expect(terminal.history().replaceAll('\n', '')).toMatch(
    /AGENT_CRASHED: .*it asks whether to trust this folder: answer it/,
  )
  expect(terminal.history()).toMatch(/1 blocked\s+code 1/)
})

/** What stands in the terminal at the end. */
async function readTerminal(line: string, where: Parameters<typeof openTmux>[1], agent: string): Promise<string> {
  using terminal = openTmux(line, where)
  if (agent === 'claude') await answerQuestions(terminal)
  await terminal.ended()
  return terminal.history()
}

/** Claude Code asks whether it may work in this folder, and before each command that no rule allows. */
async function answerQuestions(terminal: Tmux): Promise<void> {
  await terminal.shows('Yes, I trust this folder')
  await answer(terminal, 'Down', 'Enter')
  terminal.resize(90, 35)
  for (const command of ["'one' + 1", "'two' + 2", "'one' + 1", "'two' + 2"]) {
    await terminal.shows(`${command}"`)
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
