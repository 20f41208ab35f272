import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { claudeAgent } from '../../src/agents/claude/claude-agent.ts'
import { codexAgent } from '../../src/agents/codex/codex-agent.ts'
import { citationsIn } from '../../src/host/evidence/check-citations.ts'
import { JournalWriter } from '../../src/host/evidence/journal-writer.ts'
import { formatJournalEntry, parseJournal } from '../../src/records/journal/journal.ts'
import { parseResultLog } from '../../src/records/result-log/parse-result-log.ts'
import { evaluateScenario } from '../../src/verdict/evaluate-scenario.ts'
import type { AgentEvidence, EvidencePolicy, ObservedCall } from '../../src/verdict/verdict.ts'
import fc from '../support/fast-check.ts'
import { agent, check, scenario, startedAtMs, step } from '../verdict/evidence.ts'
import { lineMutation, mutateLines, mutateText, textMutation } from './support/mutate.ts'
import { groundAt } from '../../src/system/files/trusted-folder.ts'

const steps = [
  { ...step(1), id: '1-add-a-note' },
  { ...step(2, { checks: [check(1), check(2)] }), id: '2-list-the-notes' },
]
const stepIds = steps.map(({ id }) => id)

const logOf = (status: string, second: string, checks: readonly string[]): string => `---
status: ${status}
run: "run-1"
steps:
  - id: 1-add-a-note
    status: pass
    observed: "printed: added milk"
    evidence: [{ quote: "added milk" }]
  - id: 2-list-the-notes
    status: ${second}
    observed: "printed: milk"
    checks:
${checks.map((each, index) => `      - { n: ${index + 1}, status: ${each}, observed: "it does", evidence: [{ quote: "milk" }] }`).join('\n')}
---

Done.
`
/** Right ones, ones that tell of a failure, and ones that hide it. */
const right = logOf('pass', 'pass', ['pass', 'pass'])
const logs = [
  right,
  right.replaceAll(/(?:^ +|, )evidence: \[[^\n]*?\](?= }$|$)/gm, ''),
  logOf('fail', 'fail', ['fail', 'pass']),
  logOf('fail', 'blocked', ['blocked', 'skipped']),
  logOf('pass', 'fail', ['pass', 'pass']),
  logOf('pass', 'pass', ['pass', 'fail']),
  logOf('pass', 'pass', ['blocked', 'pass']),
  '---\nstatus: fail\n---\nAll steps passed.\n',
]

const readStream = (name: string): readonly string[] =>
  readFileSync(new URL(`../../fixtures/agent-streams/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
/** The same without the commands that tried something: the spec is read and the log is written. */
const idle = (lines: readonly string[]): readonly string[] => {
  const ids = lines.flatMap((line) => /"id":"(\w+)"[^{]*"(?:name":"Bash|command":"[^"]*node )/.exec(line)?.[1] ?? [])
  return lines.filter((line) => !ids.some((id) => line.includes(`"${id}"`)))
}
const claude = { agent: claudeAgent, lines: readStream('claude-pass') }
const codex = { agent: codexAgent, lines: readStream('codex-classic-pass') }
/** Streams of agents that did their work, and of agents that did none. */
const streams = [
  claude,
  codex,
  { agent: claudeAgent, lines: idle(claude.lines) },
  { agent: codexAgent, lines: idle(codex.lines) },
]

interface Account {
  readonly log: string
  readonly agent: (typeof streams)[number]['agent']
  readonly stream: readonly string[]
  /** A journal from disk in place of the stream. */
  readonly journal?: string
}

const policies: readonly EvidencePolicy[] = [{ minAssurance: 'claimed' }, { minAssurance: 'observed' }, {}]

/** Under which policies the whole scenario passes. */
async function passes(account: Account): Promise<readonly boolean[]> {
  const evidence = await evidenceOf(account)
  return policies.map((policy) => {
    return evaluateScenario(scenario(steps, { agent: evidence, policy })).every(({ outcome }) => outcome === 'pass')
  })
}

async function evidenceOf({ log, agent: { readEvents }, stream, journal }: Account): Promise<AgentEvidence> {
  const writer = writers.get(stream) ?? writerFor(stream.flatMap((line) => readEvents(line)))
  writers.set(stream, writer)
  const parsed = parseResultLog(log)
  const cited = parsed.ok ? (parsed.log.steps ?? []) : []
  const place = { ground: nowhere, evidenceDir: '/nowhere' }
  const context = { outputs: writer.outputs.all, ...place, startedAtMs, reportedAtMs: startedAtMs }
  const citations = await citationsIn(cited, { ...context, checkLines: new Map() })
  const observed = journal === undefined ? writer.observedCalls : parseJournal(journal).entries.map(toObservedCall)
  return agent(undefined, {
    reading: parsed.ok ? { ...parsed, modifiedAtMs: startedAtMs } : parsed,
    citations,
    ...(observed && { journal: observed }),
  })
}

const nowhere = groundAt('/nowhere')

/** Most mutations leave the stream alone. */
const writers = new WeakMap<readonly string[], JournalWriter>()

function toObservedCall({
  step: under,
  activity,
  denied,
}: ReturnType<typeof parseJournal>['entries'][number]): ObservedCall {
  return { step: under, activity, ...(denied && { denied }) }
}

function writerFor(events: Parameters<JournalWriter['onEvent']>[0][]): JournalWriter {
  const logFile = '/project/notes.logs/run.log.md'
  const place = {
    ground: nowhere,
    file: '/nowhere/run.journal.jsonl',
    cwd: '/project',
    specFile: '/project/notes.test.md',
    logFile,
  }
  const writer = new JournalWriter({
    allow: [],
    servers: [],
    startedAtMs: 0,
    ...place,
    steps: stepIds,
    now: () => new Date(startedAtMs),
  })
  for (const event of events) writer.onEvent(event)
  return writer
}

const base = fc.record({ log: fc.constantFrom(...logs), from: fc.constantFrom(...streams) })
const textMutations = fc.array(textMutation, { minLength: 1, maxLength: 4 })
const lineMutations = fc.array(lineMutation, { minLength: 1, maxLength: 4 })
const accountOf = ({ log, from }: { log: string; from: (typeof streams)[number] }): Account => ({
  log,
  agent: from.agent,
  stream: from.lines,
})

/** The unmutated ones are few. */
const known = new Map<string, Promise<readonly boolean[]>>()

async function expectNoNewPass(before: Account, after: Account): Promise<void> {
  const key = JSON.stringify(before)
  const unmutated = known.get(key) ?? passes(before)
  known.set(key, unmutated)
  const [was, is] = [await unmutated, await passes(after)]
  expect(is.map((isPass, index) => isPass && was[index] !== true)).toEqual([false, false, false])
}

describe('what an agent left, with a few mutations that leave every status alone, passes no more than before', () => {
  test('the log', async () => {
    await fc.assert(
      fc.asyncProperty(base, textMutations, async (one, mutations) => {
        const before = accountOf(one)
        await expectNoNewPass(before, { ...before, log: mutations.reduce(mutateText, before.log) })
      }),
    )
  })

  test('the event stream', async () => {
    await fc.assert(
      fc.asyncProperty(base, lineMutations, async (one, mutations) => {
        const before = accountOf(one)
        await expectNoNewPass(before, { ...before, stream: mutations.reduce(mutateLines, before.stream) })
      }),
    )
  })

  test('the journal', async () => {
    const entry = {
      at: '2026-02-10T14:30:00.000Z',
      step: '1-add-a-note',
      kind: 'command',
      title: 'x',
      excerpt: '',
    } as const // a kind
    const journals = [true, false].map((activity) =>
      ['c1', 'c2', 'c3'].map((id) => formatJournalEntry({ ...entry, id, activity }).trimEnd()),
    )
    await fc.assert(
      fc.asyncProperty(base, fc.constantFrom(...journals), lineMutations, async (one, lines, mutations) => {
        const before = { ...accountOf(one), journal: lines.join('\n') }
        const mutated = mutations.filter(({ kind, value }) => kind !== 'other-value' || value !== true)
        await expectNoNewPass(before, { ...before, journal: mutated.reduce(mutateLines, lines).join('\n') })
      }),
    )
  })

  test('passes often enough as it is, and not always', async () => {
    const all = await Promise.all(logs.flatMap((log) => streams.map((from) => passes(accountOf({ log, from })))))
    const count = (index: number): number => all.filter((one) => one[index]).length
    expect(policies.map((_, index) => count(index))).toEqual([4, 4, 2])
  })
})
