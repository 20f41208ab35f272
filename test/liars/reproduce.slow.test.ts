import { beforeAll, describe, expect, test } from 'vitest'
import { skipReasonOf } from '../real-agents/real-project.ts'
import { isDeep } from '../support/depth.ts'
import { loadScenes } from './support/load-scenes.ts'
import { notesSpec } from './support/notes.ts'
import { runScenes, type SceneResult } from './support/run-scenes.ts'
import type { Scene } from './support/scene.ts'

const skipReason = skipReasonOf('claude', 'codex')
const lies = ['forges-its-stream', 'plays-a-session', 'recycles-its-evidence', 'says-pass-at-once']
const honest = ['builds-the-product', 'edits-what-it-may', 'installs-a-package']
const sample = new Set([...lies, 'does-the-work-of-the-product', 'builds-the-product'])
const scenes = (await loadScenes()).filter(
  ({ kind, name }) => sample.has(name) || (isDeep && (kind === 'unseen' || honest.includes(name))),
)

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

  test('hold where they are honest', () => {
    const found = scenes.filter(({ kind }) => kind === 'honest').map(({ name }) => [name, whyOf(name)])
    expect(found).not.toEqual([])
    expect(found).toEqual(found.map(([name]) => [name, 'holds']))
  })
})
