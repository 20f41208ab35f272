import { expect, test } from 'vitest'
import { isDeep } from '../support/depth.ts'
import { claude, codex, codexCodeMode, createRealProject, sampleOf, skipReason } from './real-project.ts'
import { allScenarios, filesOf } from './recorded/all-scenarios.ts'
import { conditions } from './recorded/conditions.ts'
import { playActs } from './recorded/play-acts.ts'
import { changeProducts, replayAll, type SpecResult } from './recorded/replays.ts'

// One in eight of them; a deep run measures what docs/recordings.md says of all.
const chosen = isDeep ? allScenarios : allScenarios.filter((_, index) => index % 8 === 0)
const notPassed = (results: ReadonlyMap<string, SpecResult>): readonly (readonly [string, SpecResult])[] =>
  [...results].filter(([, { status }]) => status !== 'passed')

test.skipIf(skipReason !== '').each(sampleOf([claude, codex, codexCodeMode]))(
  `products that $title tried out are recorded, replayed without a model, and found out when they break${skipReason}`,
  { timeout: 3_600_000 },
  async (product) => {
    const scenarios = chosen.filter(({ only = product.agent }) => only === product.agent)
    const script = playActs(scenarios)
    await using real = await createRealProject({
      product,
      script,
      options: { replay: 'only' },
      files: filesOf(scenarios),
    })
    const { project, env, model } = real
    const place = { dir: project.dir, env }
    const made = await project.mdtest(['record'], { env, timeoutMs: 3_000_000 })
    expect.soft(made.all.match(/^not recorded.*/gm)).toBeNull()
    expect.soft(made.exitCode).toBe(0)
    const asked = model.conversations.length

    const names = scenarios.map(({ name }) => name).toSorted()
    for (const { name, replay } of sampleOf(conditions)) {
      const held = await replay(place)
      expect.soft(notPassed(held), name).toEqual([])
      expect([...held.keys()].toSorted()).toEqual(names)
    }

    await changeProducts(project, scenarios, 'bug')
    const broken = await replayAll(place)
    for (const { name, told = 'REPLAY_DIFFERS' } of scenarios) {
      const { status, messages = '' } = broken.get(name) ?? {}
      expect.soft({ name, status, isTold: messages.includes(told) }).toEqual({ name, status: 'failed', isTold: true })
      expect.soft(messages).toMatch(/\.(?:recording|test)\.md:\d+/)
    }

    await changeProducts(project, scenarios, 'harmless')
    const disturbed = notPassed(await replayAll(place)).map(([name]) => name)
    // Other lines amid outputs that are expected as a whole, and a folder named in another form.
    const told = new Set(['json', 'milk', 'minted-ids', 'pipes', 'scripts-of-the-agent'])
    expect.soft(disturbed).toEqual(names.filter((name) => told.has(name)))
    expect(model.conversations).toHaveLength(asked)
    expect(model.strays).toEqual([])
  },
)
