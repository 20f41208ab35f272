import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  defaultSettings,
  createSession,
  reopenSession,
  type SessionState,
} from '../../src/commands/fix/session/session-state.ts'
import { withLiveTrees } from '../../src/commands/common/with-live-trees.ts'
import { readSessionState, sessionFolder } from '../../src/commands/fix/session/session-store.ts'
import { workOnSession, type SessionEnd } from '../../src/commands/fix/loop/work-on-session.ts'
import { createRedactor } from '../../src/system/redaction/open-redactor.ts'
import { processesOf } from '../support/leftovers.ts'
import { nodeProject, rightSum, wrongSum } from '../support/fix-project.ts'
import type { ModelScript } from '../support/model-server.ts'
import { playTurn } from '../support/scripts/report-spec.ts'
import { claude, codex, createRealProject, sampleOf, skipReason, type RealProject } from './real-project.ts'

const feature = 'sums in trouble'
const status = (summary: string): string =>
  JSON.stringify({ status: 'done', summary, root_cause: 'A bug.', changed_files: [] })
const summed = JSON.stringify({ summary: 'It subtracts, as I have seen.', reasons: ['a minus'], examples: [] })

interface Trouble {
  /** Requests that are refused first: Claude Code asks twice by itself. */
  readonly refusals: number
  /** What a request of the second attempt has in tokens. */
  readonly fullWindow: number
}

/** A model that is refused at first, hangs in its first attempt, leaves a note in its second, and is right in its third. */
function troubledModel({ refusals, fullWindow }: Trouble): {
  readonly place: { root: string; home: string }
  readonly script: ModelScript
} {
  const place = { root: '', home: '' }
  let refused = 0
  let attempt = 0
  let lastWords = ''
  const play = playTurn(function* ({ prompt }) {
    if (prompt.startsWith('You sum up')) return (lastWords = summed)
    // Claude Code asks for an answer by the schema until it gets one.
    if (!prompt.includes('# Make failing tests pass')) return lastWords
    const file = `${place.root}/sum.mjs`
    yield { kind: 'read', file }
    const content = attemptOf(prompt) === 2 ? `${wrongSum}// Hm.\n` : rightSum
    if (attemptOf(prompt) > 1) yield { kind: 'write', file, content }
    return (lastWords = status(`Attempt ${attemptOf(prompt)}.`))
  })
  const script: ModelScript = async (asked) => {
    const { prompt, results, isSideRequest } = asked
    if (isSideRequest) return await play(asked)
    if (refused < refusals) {
      refused += 1
      return { kind: 'error', status: 429, message: 'slow down' }
    }
    if (prompt.startsWith('You sum up')) attempt = 0
    else if (prompt.includes('# Make failing tests pass')) attempt = attemptOf(prompt)
    if (attempt === 1 && results.length > 0) {
      endAgents(place.home)
      return { kind: 'silence' }
    }
    const reply = await play(asked)
    return reply.kind === 'answer' && attempt === 2 ? { ...reply, inputTokens: fullWindow } : reply
  }
  return { place, script }
}

/** As its prompt tells of those before. */
function attemptOf(prompt: string): number {
  return 1 + (prompt.match(/^\d+\. /gm)?.length ?? 0)
}

/** Whoever has our prompt in its command line, and is not the launcher. */
function endAgents(home: string): void {
  for (const { pid, line } of processesOf(home)) {
    if (line.includes(`# Make failing tests pass: ${feature}`)) process.kill(pid, 'SIGTERM')
  }
}

/** Works on a session with waits of no length. */
async function work(
  state: SessionState,
  real: RealProject,
): Promise<{ readonly end: SessionEnd; readonly said: string }> {
  let said = ''
  const end = await withLiveTrees((run) =>
    workOnSession(
      { state, root: real.project.dir },
      {
        ...run,
        env: real.env,
        allow: [],
        mcpServers: {},
        redactor: createRedactor([]),
        now: () => new Date(),
        signal: new AbortController().signal,
        program: ['mdtest'],
        waitMs: (times) => times,
        say: (line) => void (said += `${line}\n`),
      },
    ),
  )
  return { end, said }
}

const agents = [
  { ...claude, refusals: 2, fullWindow: 650_000, isTold: true },
  { ...codex, refusals: 1, fullWindow: 170_000, isTold: false },
] as const // names of agents

describe.skipIf(skipReason !== '')(`the rules of a session${skipReason}`, () => {
  test.for(sampleOf(agents))('$title waits, is ended, fills its window and is right', async (agent) => {
    const { place, script } = troubledModel(agent)
    const { isTold, ...product } = agent
    await using real = await createRealProject({ product, files: nodeProject, script })
    const { dir } = real.project
    place.root = dir
    place.home = dirname(real.env.HOME ?? '')
    const settings = { ...defaultSettings, root: dir, runner: 'node', agent: agent.agent } as const // names
    const created = createSession({
      feature,
      settings: { ...settings, max_cost_usd: isTold ? 500 : null, max_attempts: isTold ? 10 : 1 },
      runMark: '',
      now: new Date(),
    })
    const folder = sessionFolder(dir, created.session_id)

    // Refused, it waits and asks again. Ended, it has made one attempt, of which not all costs are known.
    const first = await work(created, real)
    expect(first.said).toContain("waits 1 s for the agent's provider")
    expect(first.end).toMatchObject({
      report: {
        result: 'incomplete',
        reason: expect.stringContaining(isTold ? 'interrupted before it reported its cost' : 'All 1 attempts'),
        attempts: 1,
        calls_without_cost: isTold ? 1 : 2,
        cost_usd: isTold ? expect.closeTo(0.0006, 5) : null,
      },
    })
    const events = readFileSync(`${folder}/events.jsonl`, 'utf8').trim().split('\n')
    const costs = events
      .map((line): unknown => JSON.parse(line))
      .filter((event) => JSON.stringify(event).includes('"answered"'))
    expect(costs).toMatchObject([
      { agent: 'implementer', cost_usd: isTold ? 0 : null, message: expect.stringContaining('429') },
      { agent: 'implementer', cost_usd: isTold ? expect.closeTo(0.0006, 5) : null },
    ])

    // The second attempt fills the window; what is known of it goes to a new session.
    const reopened = reopenSession(await readSessionState(folder), { max_attempts: 10 })
    const { end } = await work(reopened, real)
    expect(end).toMatchObject({
      report: { result: 'success', attempts: 3, summaries: [{ version: 1, reason: 'context' }] },
    })
    const { history, session_costs_usd: bySession } = await readSessionState(folder)
    const used = history.flatMap((act) => (act.kind === 'attempt-made' ? [act.contextUtilization] : []))
    expect(used).toEqual([
      isTold ? null : expect.any(Number),
      expect.closeTo(isTold ? 0.65 : 170_010 / 258_400, 3),
      expect.any(Number),
    ])
    expect(used[2]).toBeLessThan(0.01)
    expect(Object.keys(bySession)).toHaveLength(isTold ? 3 : 0)
    expect(existsSync(`${folder}/artifacts/summaries/1.json`)).toBe(true)
    const prompts = real.model.conversations.map(({ prompt }) => prompt)
    expect(prompts.findLast((prompt) => prompt.includes('# Make failing'))).toContain('It subtracts, as I have seen.')
    expect(real.model.strays).toEqual([])
    expect(await real.leftovers()).toEqual([])
  })
})
