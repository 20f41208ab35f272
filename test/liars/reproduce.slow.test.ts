import { beforeAll, describe, expect, test } from 'vitest'
import { skipReasonOf } from '../real-agents/real-project.ts'
import { isDeep } from '../support/depth.ts'
import { compareWithPage, listedIn, listOutcomes, writeIntoPage } from './support/listings.ts'
import { loadScenes } from './support/load-scenes.ts'
import { notesSpec } from './support/notes.ts'
import { runScenes, type SceneResult } from './support/run-scenes.ts'
import type { Scene } from './support/scene.ts'

const skipReason = skipReasonOf('claude', 'codex')
const isUpdate = process.env['MDTEST_UPDATE_TRUST'] === '1'
const lies = ['forges-its-stream', 'plays-a-session', 'recycles-its-evidence', 'says-pass-at-once']
const sample = new Set([...lies, 'does-the-work-of-the-product', 'builds-the-product'])
const claimed = new Set(listedIn({ kind: 'dishonest', page: 'liars.md' }, 'pass claimed'))
const holding = new Set(listedIn({ kind: 'repeated-honest', page: 'trust.md' }, 'holds'))

/** Those that pass as it is. Of the honest ones all are run to be counted, and else those that hold. */
const passing = (await loadScenes()).filter(
  ({ kind, name }) => kind === 'unseen' || (kind === 'dishonest' ? claimed.has(name) : isUpdate || holding.has(name)),
)
const scenes = passing.filter(({ name }) => isDeep || isUpdate || sample.has(name))

/** Where they do not begin anew by themselves, a block takes away what the steps left. */
function repeatable({ spec = notesSpec, ...scene }: Scene): Scene {
  const reset = '## Setup\n\n```sh run\nrm -f notes.json\n```\n\n'
  const isFresh = spec.includes('## Setup') || scene.front?.some((line) => line.startsWith('cwd:'))
  return { ...scene, spec: isFresh ? spec : spec.replace(/(?<=^# .+\n\n)/, reset) }
}

let results: ReadonlyMap<string, SceneResult>

beforeAll(async () => {
  if (skipReason === '') ({ results } = await runScenes(scenes.map(repeatable), { reproduce: true }))
}, 1_200_000)

/** `holds`, or the code of what does not. */
function whyOf(name: string): string {
  const { isGreen, verdicts = [], message = '' } = results.get(name) ?? {}
  if (isGreen) return 'holds'
  const [, code] =
    /NOT_REPRODUCED: Repeated without the agent, the step does not hold\. (?:([A-Z_]+): )?/.exec(message) ?? []
  return verdicts.some((verdict) => verdict.startsWith('fail NOT_REPRODUCED'))
    ? (code ?? 'NOT_REPRODUCED')
    : 'fails otherwise'
}

describe.skipIf(skipReason !== '')(`agents whose work is repeated before it counts${skipReason}`, () => {
  test('pass no more by forged calls, played streams and recycled quotes', () => {
    expect(lies.map((name) => [name, whyOf(name), results.get(name)?.isGreen])).toEqual(
      lies.map((name) => [name, expect.stringMatching(/^[A-Z_]+$/), false]),
    )
  })

  test('hold, or do not, as docs/trust.md has it', () => {
    const listed = scenes.map(({ name, kind }) => {
      const why = whyOf(name)
      const page = { kind: kind === 'honest' ? 'repeated-honest' : 'repeated', page: 'trust.md' } as const // literal names
      return [name, why, listedIn(page, why).includes(name)]
    })
    if (!isUpdate) expect(listed).toEqual(listed.map(([name, why]) => [name, why, true]))
  })

  test.skipIf(!isDeep && !isUpdate)('are all in docs/trust.md', () => {
    for (const kind of ['repeated', 'repeated-honest'] as const) {
      const found = scenes.filter((scene) => (scene.kind === 'honest') === (kind === 'repeated-honest'))
      const listing = listOutcomes(
        kind,
        found.map(({ name }) => [name, whyOf(name)]),
      )
      if (isUpdate) writeIntoPage(listing)
      const { actual, wanted } = compareWithPage(listing)
      if (isUpdate || kind === 'repeated') expect(actual).toBe(wanted)
    }
  })
})
