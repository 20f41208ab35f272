import { existsSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import type { ModelReply, ModelScript } from '../support/model-server.ts'
import { agentsOf } from '../support/processes.ts'
import { bySpec, runsFirst, writesLog } from '../support/scripts/wayward.ts'
import { claude, codex, codexCodeMode, createRealProject, skipReason } from './real-project.ts'

const spec = '# Shop\n\n## Add a mug\n\nPut a mug into the cart.\n\n## Pay\n\nPay for it.\n'
const status =
  (code: number): ModelScript =>
  () => ({ kind: 'error', status: code })
const silence = (): ModelReply => ({ kind: 'silence' })
const passingLog = writesLog(({ runId }) => `status: pass\nrun: "${runId}"`)

/** Writes a log and then falls silent. */
const silentInTheEnd: ModelScript = (conversation) =>
  conversation.results.length > 0 ? silence() : passingLog(conversation)

describe.skipIf(skipReason !== '').each([claude, codex])(`$title${skipReason}`, ({ agent, title: _title, ...more }) => {
  test('is blocked by a model that refuses, breaks or never answers', async () => {
    const silent = `---\nsilence-timeout: 6s\n---\n\n${spec}`
    const scripts = {
      '401.test.md': status(401),
      '500.test.md': status(500),
      'drop.test.md': (): ModelReply => ({ kind: 'drop' }),
      'silent.test.md': silence,
      'silent-in-the-end.test.md': silentInTheEnd,
    }
    await using real = await createRealProject({
      ...more,
      options: { agent },
      script: bySpec(scripts),
      files: Object.fromEntries(Object.keys(scripts).map((name) => [name, name.startsWith('silent') ? silent : spec])),
    })
    const { exitCode, stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    expect(Object.keys(scripts).map((name) => [name, verdictsOf(stdout, name)[0]])).toEqual([
      ['401.test.md', 'blocked AGENT_AUTH'],
      ['500.test.md', 'blocked AGENT_CRASHED'],
      ['drop.test.md', 'blocked AGENT_CRASHED'],
      ['silent.test.md', 'blocked AGENT_SILENT'],
      ['silent-in-the-end.test.md', 'blocked AGENT_SILENT'],
    ])
    expect(exitCode).toBe(1)
    expect(readJsonReport(stdout)['500.test.md']?.[0]?.messages?.[0]).toContain('reported an error')
    expect(real.model.strays).toEqual([])
    expect(await real.leftovers()).toEqual([])
  })
})

const signals = [
  { ...claude, signal: 'SIGKILL' },
  { ...claude, signal: 'SIGTERM' },
  { ...codex, signal: 'SIGKILL' },
  { ...codex, signal: 'SIGTERM' },
  { ...codexCodeMode, signal: 'SIGKILL' },
] as const // the names of signals

describe.skipIf(skipReason !== '').concurrent(`an agent that someone kills${skipReason}`, () => {
  test.each(signals)('is blocked: $title by $signal', async ({ agent, signal, title: _title, ...more }) => {
    const command = `python3 -c "import time; open('started', 'w'); time.sleep(300)"`
    await using real = await createRealProject({
      ...more,
      options: { agent, allow: ['Bash(python3 *)'] },
      script: runsFirst(command, passingLog),
      files: { 'shop.test.md': spec },
    })
    const running = real.project.start('vitest', ['run', '--reporter=json'], { env: real.env })
    await vi.waitUntil(() => existsSync(real.project.path('started')), { timeout: 60_000, interval: 100 })
    const agents = agentsOf(running.pid ?? 0)
    expect(agents).toHaveLength(1)
    for (const { pid } of agents) process.kill(pid, signal)
    const { exitCode, stdout } = await running
    expect(verdictsOf(String(stdout), 'shop.test.md')).toEqual(['blocked AGENT_CRASHED', 'skipped PREDECESSOR_FAILED'])
    expect(exitCode).toBe(1)
    expect(await real.leftovers()).toEqual([])
  })
})
