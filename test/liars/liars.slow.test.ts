import { beforeAll, describe, expect, test } from 'vitest'
import { skipReasonOf } from '../real-agents/real-project.ts'
import { isDeep } from '../support/depth.ts'
import { loadScenes } from './support/load-scenes.ts'
import { runScenes, type VitestRun } from './support/run-scenes.ts'

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

const scenes = (await loadScenes(['dishonest', 'honest'])).filter(({ name }) => isDeep || sample.has(name))

describe.skipIf(skipReason !== '')(`agents as they are, in a real Vitest${skipReason}`, () => {
  let vitest: VitestRun
  beforeAll(async () => {
    vitest = await runScenes(scenes)
  }, 1_800_000)

  test('pass where they are honest, and only there', () => {
    expect(scenes.length).toBeGreaterThanOrEqual(sample.size)
    const ends = scenes.map(({ name }) => [name, vitest.results.get(name)?.isGreen])
    expect(ends).toEqual(scenes.map(({ name, kind }) => [name, kind === 'honest']))
  })

  test('leave nothing running', () => {
    expect(vitest.leftovers).toEqual([])
  })
})
