// `npm run prove:recordings`: records what real agents did for many small products, and replays it under other conditions,
// with broken products, and with changed ones. Takes from ten minutes to an hour; its figures stand in docs/recordings.md.
import { parseArgs } from 'node:util'
import setUp from '../test/build.ts'
import { claude, codex, codexCodeMode, createRealProject, skipReason } from '../test/real-agents/real-project.ts'
import { allScenarios, filesOf } from '../test/real-agents/recorded/all-scenarios.ts'
import { playActs } from '../test/real-agents/recorded/play-acts.ts'
import { changeProducts, readReport, replayAll, type SpecResult } from '../test/real-agents/recorded/replays.ts'
import type { RecordedScenario } from '../test/real-agents/recorded/scenario.ts'
import { conditions } from './lib/replay-conditions.ts'

const agents = { claude, codex, 'codex-code-mode': codexCodeMode }

const { values } = parseArgs({
  options: {
    agent: { type: 'string', multiple: true, default: Object.keys(agents) },
    rounds: { type: 'string', default: '20' },
    again: { type: 'string', default: '2' },
    only: { type: 'string', multiple: true },
    auto: { type: 'boolean', default: false },
  },
})

if (skipReason !== '') throw new Error(`Nothing can be proved${skipReason}`)
setUp()
let isProved = true
for (const [name, lane] of Object.entries(agents)) {
  if (values.agent.includes(name)) await prove(name, lane)
}
process.exitCode = isProved ? 0 : 1

type Lane = (typeof agents)[keyof typeof agents]

async function prove(name: string, { title: _title, ...lane }: Lane): Promise<void> {
  const scenarios = allScenarios.filter((one) => isFor(one, lane.agent))
  const files = filesOf(scenarios)
  const options = { agent: lane.agent, replay: 'only' } as const // a literal mode
  await using real = await createRealProject({ ...lane, script: playActs(scenarios), options, files })
  const { project, env, model } = real
  const place = { dir: project.dir, env }
  const tell = (text: string, isRight = true): void => {
    isProved &&= isRight
    console.log(`${name}: ${isRight ? '' : 'WRONG: '}${text}`)
  }

  const record = async (): Promise<ReadonlyMap<string, string>> => {
    const made = await project.mdtest(['record'], { env, timeoutMs: 1_800_000 })
    for (const line of made.all.split('\n')) if (/^\s*(?:not recorded|.* REFUSED)/.test(line)) tell(line, false)
    const texts = scenarios.map(async (one) => [one.name, await readRecording(one)] as const)
    return new Map(await Promise.all(texts))
  }
  const readRecording = ({ name: spec }: RecordedScenario): Promise<string> =>
    project.read(`${spec}.recording.md`).catch(() => '')

  const first = await record()
  const recorded = [...first.values()].filter((text) => text !== '').length
  tell(`${recorded} of ${scenarios.length} recorded`, recorded === scenarios.length)
  let same = 0
  for (let round = 0; round < Number(values.again); round += 1) {
    // A recording that did not change stays as it is, its day included; so it is made from nothing, too.
    const isFresh = round % 2 === 1
    const shown = isFresh ? withoutDay : (text: string): string => text
    if (isFresh) for (const spec of first.keys()) await project.remove(`${spec}.recording.md`)
    const again = await record()
    const others = [...first].filter(([spec, text]) => shown(again.get(spec) ?? '') !== shown(text))
    for (const [spec] of others) tell(`${spec} is recorded otherwise`, false)
    same += first.size - others.length
  }
  tell(`${same} of ${first.size * Number(values.again)} recorded again are the same bytes`)

  const asked = model.conversations.length
  let hits = 0
  let tried = 0
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const condition = conditions[round % conditions.length]
    if (condition === undefined) break
    const results = await condition.replay(place)
    const missed = scenarios.filter(({ name: spec }) => results.get(spec)?.status !== 'passed')
    for (const { name: spec } of missed)
      tell(`missed: ${spec} (${condition.name})\n${messagesOf(results, spec)}`, false)
    hits += scenarios.length - missed.length
    tried += scenarios.length
  }
  tell(`${hits} of ${tried} replays held`, hits >= 0.98 * tried)

  await changeProducts(project, scenarios, 'bug')
  const broken = await replayAll(place)
  const unseen = scenarios.filter(({ name: spec }) => broken.get(spec)?.status !== 'failed')
  const wrong = scenarios.filter(({ name: spec, told = 'REPLAY_DIFFERS' }) => !messagesOf(broken, spec).includes(told))
  tell(`${scenarios.length - unseen.length} of ${scenarios.length} regressions found`, unseen.length === 0)
  for (const { name: spec } of new Set([...unseen, ...wrong])) tell(`${spec}\n${messagesOf(broken, spec)}`, false)

  const ofReplays = model.conversations.length - asked
  if (values.auto) {
    // Whatever comes of it, the agent says that each step passed, and quotes what it sees.
    const run = ['run', '--replay', 'auto', '--reporter=json']
    const asking = readReport((await project.mdtest(run, { env, timeoutMs: 1_800_000 })).stdout)
    const passed = scenarios.filter(({ name: spec }) => asking.get(spec)?.status === 'passed')
    const silent = passed.filter(({ name: spec }) => !asking.get(spec)?.sources.includes('handed-over'))
    for (const { name: spec } of silent) tell(`${spec} is healed`, false)
    tell(`with an agent that passes all: ${scenarios.length - passed.length} fail, ${passed.length} are handed over`)
    const kept = await Promise.all(scenarios.map(async (one) => (await readRecording(one)) === first.get(one.name)))
    tell(`${kept.filter(Boolean).length} of ${kept.length} recordings are as they were`, !kept.includes(false))
  }

  const before = model.conversations.length
  await changeProducts(project, scenarios, 'harmless')
  const changed = await replayAll(place)
  const disturbed = scenarios.filter(({ name: spec }) => changed.get(spec)?.status !== 'passed')
  for (const { name: spec } of disturbed) tell(`disturbed: ${spec}\n${messagesOf(changed, spec)}`)
  const harmless = scenarios.filter((one) => one.harmless).length
  tell(`${disturbed.length} of ${harmless} harmless changes disturb`, disturbed.length <= 2)
  const requests = ofReplays + model.conversations.length - before
  tell(`${requests} requests to the model after recording`, requests === 0)
}

function isFor({ only, name }: RecordedScenario, agent: string): boolean {
  return (only === undefined || only === agent) && (values.only === undefined || values.only.includes(name))
}

function withoutDay(recording: string): string {
  return recording.replace(/ by="[^"]*" on=[\d-]+/g, '')
}

function messagesOf(results: ReadonlyMap<string, SpecResult>, spec: string): string {
  return results.get(spec)?.messages ?? 'it did not run'
}
