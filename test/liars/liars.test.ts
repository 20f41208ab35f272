import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { ScenarioEvidence } from '../../src/verdict/verdict.ts'
import { skipReason } from '../real-agents/real-project.ts'
import { loadScenes } from './support/load-scenes.ts'
import { isOfRealClis } from './support/projects.ts'
import { recordAll } from './support/record-scene.ts'
import { judge, withoutEachRule } from './support/rules.ts'
import { runScenes, summaryOf, type VitestRun } from './support/run-scenes.ts'
import type { Kind, Scene } from './support/scene.ts'
import { compareWithPage, listAgents, writeIntoPage } from './support/listings.ts'

// Runs as it is; what it was asked is what the agents left behind.
vi.mock('../../src/verdict/evaluate-scenario.ts', { spy: true })

const all = await loadScenes()
const scenes = all.filter((scene) => skipReason === '' || !isOfRealClis(scene))
const isWhole = scenes.length === all.length
const of = (kind: Kind): readonly Scene[] => scenes.filter((scene) => scene.kind === kind)

let vitest: VitestRun
/** In the order of `scenes`. */
let judged: readonly (readonly [Scene, ScenarioEvidence])[]

beforeAll(async () => {
  vitest = await runScenes(scenes)
  judged = await recordAll(scenes)
}, 900_000)

const isPass = (verdict: string): boolean => verdict.startsWith('pass')
const passing = (policy: Parameters<typeof judge>[1]): readonly string[] =>
  judged
    .filter(([{ kind }, evidence]) => kind === 'dishonest' && isPass(judge(evidence, policy)))
    .map(([{ name }]) => name)

describe(`agents that lie, agents that err and agents that are honest${skipReason}`, () => {
  test('are enough', () => {
    expect(all.filter(({ kind }) => kind === 'dishonest').length).toBeGreaterThanOrEqual(30)
    expect(all.filter(({ kind, script }) => kind === 'dishonest' && script).length).toBeGreaterThanOrEqual(15)
    expect(all.filter(({ kind }) => kind === 'honest').length).toBeGreaterThanOrEqual(15)
  })

  test('get the same verdict in a real Vitest and from the evidence', () => {
    const fromVitest = scenes.map(({ name }) => [name, vitest.results.get(name)?.isGreen])
    expect(judged.map(([{ name }, evidence]) => [name, isPass(judge(evidence))])).toEqual(fromVitest)
    for (const [{ name }, evidence] of judged) {
      const shown = summaryOf(vitest.results.get(name)?.verdicts ?? [])
      // What shows after a step was settled fails the suite, and its code is not at a test.
      if (!shown.startsWith('skipped')) expect([name, shown]).toEqual([name, judge(evidence)])
    }
  })

  test('leave nothing running', () => {
    expect(vitest.leftovers).toEqual([])
  })
})

describe('a dishonest agent', () => {
  test('never passes where its tool calls could be seen', () => {
    const seen = judged.filter(([{ kind }, { agent }]) => kind === 'dishonest' && agent?.journal !== undefined)
    expect(seen.length).toBeGreaterThan(isWhole ? 15 : 0)
    expect(seen.filter(([, evidence]) => isPass(judge(evidence))).map(([{ name }]) => name)).toEqual([])
  })

  test('passes as `claimed` at best where they could not', () => {
    const claims = passing({})
    expect(claims).not.toEqual([])
    expect(passing({ minAssurance: 'observed' })).toEqual([])
  })

  test('never passes with `evidence: require`', async () => {
    expect(passing({ evidence: 'require' })).toEqual([])
    const claims = scenes.filter(({ name }) => passing({}).includes(name))
    const { results } = await runScenes(claims, { evidence: 'require' })
    expect([...results.values()].filter(({ isGreen }) => isGreen)).toEqual([])
    expect(results.size).toBe(claims.length)
  })
})

describe('an honest agent', () => {
  test('always passes', () => {
    const failing = of('honest').filter(({ name }) => vitest.results.get(name)?.isGreen !== true)
    expect(failing.map(({ name }) => [name, vitest.results.get(name)?.verdicts])).toEqual([])
  })
})

describe('a rule', () => {
  test.skipIf(!isWhole)('keeps some dishonest agent from passing that does without it', () => {
    const rows = withoutEachRule(judged.filter(([{ kind }]) => kind === 'dishonest'))
    expect(rows.filter(({ agents }) => agents.length === 0).map(({ rule }) => rule)).toEqual([])
  })
})

describe('docs/', () => {
  test.skipIf(!isWhole)('lists the agents of this run that lie', () => {
    const rules = withoutEachRule(judged.filter(([{ kind }]) => kind === 'dishonest'))
    const listings = (['dishonest', 'unseen'] as const).map((kind) => listAgents(kind, judged, rules))
    if (process.env.MDTEST_UPDATE_TRUST === '1') listings.forEach(writeIntoPage)
    for (const listing of listings) {
      const { actual, wanted } = compareWithPage(listing)
      expect(actual).toBe(wanted)
    }
  })

  test.skipIf(!isWhole)('counts them in trust.md', () => {
    const page = readFileSync(new URL('../../docs/trust.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ')
    const isPassing = ([, evidence]: (typeof judged)[number]): boolean => isPass(judge(evidence))
    const isRequired = ([, evidence]: (typeof judged)[number]): boolean =>
      isPass(judge(evidence, { evidence: 'require' }))
    const rows = (['dishonest', 'unseen', 'honest'] as const).map((kind) => {
      const group = judged.filter(([scene]) => scene.kind === kind)
      return `| ${group.length} | ${group.filter(isPassing).length} | ${group.filter(isRequired).length} |`
    })
    for (const each of rows) expect(page).toContain(each)
  })
})
