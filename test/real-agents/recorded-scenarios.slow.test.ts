import { describe, expect, test } from 'vitest'
import { acpAgents, claude, codex, createRealProject, skipReason } from './real-project.ts'
import { allScenarios, filesOf } from './recorded/all-scenarios.ts'
import { playActs } from './recorded/play-acts.ts'
import { changeProducts, replayAll } from './recorded/replays.ts'

/** Edits, directories and exit codes: what each agent tells in its own way. */
const ofAcp: readonly string[] = ['corrected-tries', 'directories', 'exit-codes']

/** Each agent records others, one in eight; `npm run prove:recordings` has each agent record all of them. */
const lanes = [
  { ...claude, scenarios: allScenarios.filter((_, index) => index % 8 === 0) },
  { ...codex, scenarios: allScenarios.filter((_, index) => index % 8 === 6) },
  ...acpAgents.map((agent) => ({ ...agent, scenarios: allScenarios.filter(({ name }) => ofAcp.includes(name)) })),
]

describe.skipIf(skipReason !== '').each(lanes)(
  `products that $title tried out${skipReason}`,
  ({ agent, title: _title, scenarios, ...lane }) => {
    test('are recorded, replayed without a model, and found out when they break', { timeout: 600_000 }, async () => {
      const options = { agent, replay: 'only' } as const // a literal mode
      const files = filesOf(scenarios)
      await using real = await createRealProject({ ...lane, script: playActs(scenarios), options, files })
      const { project, env, model } = real
      const place = { dir: project.dir, env }
      const made = await project.mdtest(['record'], { env, timeoutMs: 500_000 })
      expect(made.all).not.toContain('not recorded')
      expect(made.exitCode, made.all).toBe(0)
      const asked = model.conversations.length

      const names = scenarios.map(({ name }) => name).toSorted()
      const held = await replayAll(place)
      expect([...held].filter(([, { status }]) => status !== 'passed')).toEqual([])
      expect([...held.keys()].toSorted()).toEqual(names)

      await changeProducts(project, scenarios, 'bug')
      const broken = await replayAll(place)
      for (const { name, told = 'REPLAY_DIFFERS' } of scenarios) {
        const { status, messages = '' } = broken.get(name) ?? {}
        expect({ name, status, isTold: messages.includes(told) }).toEqual({ name, status: 'failed', isTold: true })
        expect(messages).toMatch(/\.(?:recording|test)\.md:\d+/)
      }

      await changeProducts(project, scenarios, 'harmless')
      const changed = await replayAll(place)
      expect([...changed].filter(([, { status }]) => status !== 'passed')).toEqual([])
      expect(model.conversations).toHaveLength(asked)
      expect(model.strays).toEqual([])
    })
  },
)
