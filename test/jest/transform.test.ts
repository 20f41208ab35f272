import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createTransformer } from '../../src/jest/transform.ts'
import { mdtest } from '../../src/jest/mdtest-project.ts'
import { plannedTests, selectedSteps } from '../../src/jest/planned-tests.ts'
import { findOtherOptions } from '../../src/jest/project-options.ts'
import { resolveOptions } from '../../src/plan/options/option-defaults.ts'
import { parseSpec } from '../../src/spec/parse-spec.ts'

const sh = '\n\n```sh\ntrue\n```\n\n'
const text = `---
agent: none
---

# Shop

## Cart

<!-- mdtest: only retry=2 -->

### Add${sh}### Remove

<!-- mdtest: skip="not yet" -->${sh}## Pay${sh}`
const file = '/shop/shop.test.md'
const given = { config: { rootDir: '/shop' } }

describe('the test file that Jest runs', () => {
  test('has each heading on its line, and what holds for a heading at each step below it', async () => {
    const { code } = (await createTransformer()).process(text, file, given)
    const lines = code.split('\n')
    expect(lines).toHaveLength(text.split('\n').length)
    expect(lines[4]).toBe('describe("Shop", () => { afterAll(() => mdtest.end(1), 2147483647);')
    expect(lines[6]).toBe('describe("Cart", () => {')
    expect(lines[10]).toBe('test.only("Add", () => mdtest.step(1, 1), 2147483647);')
    expect(lines[16]).toMatch(/^test\.skip\("Remove", /)
    expect(lines[24]).toMatch(/^(\}\); )?test\("Pay", /)
    expect(() => new Function(code)).not.toThrow()
  })

  test('is kept by Jest under a key of all that it depends on', async () => {
    const one = await createTransformer()
    const key = one.getCacheKey(text, file, given)
    expect((await createTransformer({})).getCacheKey(text, file, given)).toBe(key)
    const others = [
      one.getCacheKey(`${text} `, file, given),
      one.getCacheKey(text, file, { config: { rootDir: '/' } }),
      (await createTransformer({ blockTimeoutMs: 1 })).getCacheKey(text, file, given),
    ]
    expect(new Set([key, ...others]).size).toBe(4)
  })

  test('refuses an option that is unknown', async () => {
    await expect(createTransformer(JSON.parse('{ "agents": 1 }'))).rejects.toThrow('Unknown option `agents`')
  })
})

describe('steps that are reported', () => {
  const { spec } = parseSpec(text, { file, agentDefault: 'none' })
  const [scenario] = spec.scenarios
  const tests = plannedTests(spec)
  const select = (namePattern?: string): readonly number[] =>
    scenario ? [...selectedSteps(tests, { scenario, namePattern })] : []

  test('are those that Jest chooses by `only`, `skip` and the names', () => {
    expect(tests.map(({ name, retry }) => [name, retry])).toEqual([
      ['Shop Cart Add', 2],
      ['Shop Cart Remove', 2],
      ['Shop Pay', 0],
    ])
    expect(select()).toEqual([1])
    expect(select('cart a')).toEqual([1])
    expect(select('Pay')).toEqual([])
  })
})

test('what `mdtest` gives is a project as Jest types it, with all of its modules there', () => {
  const project: { readonly [name: string]: unknown } = mdtest({ blockTimeoutMs: 1 })
  expect(project).toMatchObject({ testMatch: ['**/*.test.md'], displayName: 'mdtest' })
  const { transform, globalSetup, globalTeardown } = mdtest({ blockTimeoutMs: 1 })
  expect(Object.values(transform)).toEqual([[expect.stringMatching(/dist\/public\/jest\.js$/), { blockTimeoutMs: 1 }]])
  expect([globalSetup, globalTeardown].map((file) => existsSync(file))).toEqual([true, true])
  expect(() => mdtest(JSON.parse('{ "agents": 1 }'))).toThrow('Unknown option `agents`')
})

test('options of a run differ only where they do', () => {
  const options = resolveOptions({})
  expect(findOtherOptions(resolveOptions({ blockTimeoutMs: 1 }), options)).toBeUndefined()
  expect(findOtherOptions(resolveOptions({ agent: 'none' }), options)).toContain('different values of `agent`')
})
