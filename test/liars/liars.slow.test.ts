import { beforeAll, describe, expect, test } from 'vitest'
import { skipReasonOf } from '../real-agents/real-project.ts'
import { isDeep } from '../support/depth.ts'
import { verdictOnPage } from './support/listings.ts'
import { loadScenes } from './support/load-scenes.ts'
import { runScenes, summaryOf, type VitestRun } from './support/run-scenes.ts'

const skipReason = skipReasonOf('claude', 'codex')
/** By Codex, whose scenes are run by Claude Code every day. */
const sample = new Set([
  'builds-the-product',
  'edits-the-verifier',
  'only-says-so',
  'quotes-its-own-echo',
  'quotes-what-it-wrote',
  'saves-what-it-saw',
])

const scenes = (await loadScenes()).filter(({ name }) => isDeep || sample.has(name))

describe.skipIf(skipReason !== '')(`agents as they are, in a real Vitest${skipReason}`, () => {
  let vitest: VitestRun
  beforeAll(async () => {
    vitest = await runScenes(scenes)
  }, 1_800_000)

  test('get the verdicts that docs/ have of them', () => {
    expect(scenes.length).toBeGreaterThanOrEqual(sample.size)
    const verdicts = scenes.map(({ name, kind }) => {
      const verdict = summaryOf(vitest.results.get(name)?.verdicts ?? [])
      return [name, kind === 'honest' && verdict.startsWith('pass') ? 'pass' : verdict]
    })
    // What shows after a step was settled fails the suite, and its code is not at a test.
    const isTold = ([, verdict = '']: readonly string[]): boolean => !verdict.startsWith('skipped')
    const wanted = scenes.map((scene) => [scene.name, verdictOnPage(scene)])
    const told = new Set(verdicts.filter(isTold).map(([name]) => name))
    expect(verdicts.filter(isTold)).toEqual(wanted.filter(([name]) => told.has(name)))
    const green = wanted.flatMap(([name = '', verdict = '']) => (verdict.startsWith('pass') ? [name] : []))
    expect(scenes.flatMap(({ name }) => (vitest.results.get(name)?.isGreen ? [name] : []))).toEqual(green)
  })

  test('leave nothing running', () => {
    expect(vitest.leftovers).toEqual([])
  })
})
