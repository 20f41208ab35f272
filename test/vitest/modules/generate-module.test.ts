import { expect, test } from 'vitest'
import { planSpec } from '../../../src/plan/plan-spec.ts'
import { readSpec } from '../../../src/plan/read-spec.ts'
import { resolveOptions } from '../../../src/plan/options/option-defaults.ts'
import type { CommandLine } from '../../../src/plan/options/spec-settings.ts'
import { generateModule } from '../../../src/vitest/modules/generate-module.ts'

const scenario = (title: string): string => `#### ${title}\n\n**Steps:**\n1. Go\n\n**Expected Results:**\n- It went\n\n`
const plan = `# P\n\n## Application Overview\n\nA shop.\n\n${scenario('One')}${scenario('Two')}`

/** Whether Vitest is told to run each test beside others, as written in the module; `undefined` where it is told nothing. */
function besideOf(text: string, agent: 'browser' | 'claude'): readonly (string | undefined)[] {
  const options = resolveOptions({ agent })
  const planned = planSpec(text, { file: '/suite/a.md', root: '/suite', options, commandLine: {} })
  expect(planned).toMatchObject({ ok: true })
  const code = planned.ok ? generateModule(planned.plan, text).code : ''
  return [...code.matchAll(/^(?:.*; )?test\(.*$/gm)].map(([line]) => /concurrent: (\w+)/.exec(line)?.[1])
}

test('scenarios of a plan run side by side where each has a browser, and nothing else does', () => {
  expect(besideOf(plan, 'browser')).toEqual(['true', 'true'])
  expect(besideOf(`---\ndialect: planner\n---\n\n${plan}`, 'claude')).toEqual([undefined, undefined])
  expect(besideOf(`---\ndialect: mdtest\n---\n\n${plan}`, 'browser').filter((one) => one !== undefined)).toEqual([])
  expect(besideOf('# A\n\nDo it.\n\n# B\n\nDo it.\n', 'browser')).toEqual([undefined, undefined])
})

test('options and command line say which agent a spec is read for', () => {
  const options = resolveOptions({ agent: 'claude' })
  const dialectOf = (commandLine: CommandLine): string =>
    readSpec(plan, { file: '/suite/a.md', root: '/suite', options, commandLine }).spec.frontMatter.dialect
  expect(dialectOf({ agent: 'browser' })).toBe('planner')
  expect(dialectOf({})).toBe('mdtest')
})
