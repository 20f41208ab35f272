import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

import { formatProblems } from '../../src/spec/problems.ts'
import { specAgentNames } from '../../src/agents/registry.ts'
import { parseSpec } from '../../src/spec/parse-spec.ts'
import type { ParsedSpec } from '../../src/spec/spec.ts'
import { withoutLists } from '../support/without-lists.ts'
import { specRules } from '../../src/spec/rules/spec-rules.ts'

// UPDATE_FIXTURES=1 writes the expectations; read the diff.
const root = new URL('../../fixtures/specs/', import.meta.url)
const cases = readdirSync(root).toSorted()
const file = '/suite/spec.test.md'

function render(name: string): string {
  const { text, spec, problems, included } = parseFixture(name)
  const { frontMatter, includes, ...rest } = spec
  const model = { ...rest, ...(includes.length > 0 && { includes }), frontMatter: compact(frontMatter) }
  const problemText = formatProblems(problems, { text, included, root: '/suite' })
  return problems.length > 0 ? `${withoutLists(problemText)}\n` : `${JSON.stringify(model, undefined, 2)}\n`
}

const parsedFixtures = new Map<string, ParsedSpec & { readonly text: string }>()

/** Files that a spec of the folder includes stand beside it. */
function parseFixture(name: string): ParsedSpec & { readonly text: string } {
  const known = parsedFixtures.get(name)
  if (known !== undefined) return known
  const folder = new URL(`${name}/`, root)
  const own = readdirSync(folder).find((entry) => entry.startsWith('spec.')) ?? ''
  const text = readFileSync(new URL(own, folder), 'utf8')
  const readIncluded = (path: string): string | { readonly problem: string } => {
    const here = new URL(relative('/suite', path), folder)
    return existsSync(here) ? readFileSync(here, 'utf8') : { problem: 'there is no such file.' }
  }
  const named = own === 'spec.md' ? file : `/suite/${own}`
  const parsed = { text, ...parseSpec(text, { file: named, readIncluded, agentNames: specAgentNames }) }
  parsedFixtures.set(name, parsed)
  return parsed
}

const empty = Object.entries(parseSpec('# x', { file }).spec.frontMatter)
const defaults = new Map(empty.map(([key, value]) => [key, JSON.stringify(value)]))

/** Only what differs from an empty front matter. */
function compact(frontMatter: object): object {
  return Object.fromEntries(
    Object.entries(frontMatter).filter(([key, value]) => defaults.get(key) !== JSON.stringify(value)),
  )
}

describe('parseSpec', () => {
  test.each(cases)('reads fixture %s as expected', (name) => {
    const found = render(name)
    const kind = found.startsWith('{') ? 'json' : 'txt'
    const expectedFile = new URL(`${name}/expected.${kind}`, root)
    if (process.env.UPDATE_FIXTURES === '1') writeFileSync(expectedFile, found)
    expect(existsSync(expectedFile), `${fileURLToPath(expectedFile)} exists`).toBe(true)
    expect(readdirSync(new URL(`${name}/`, root)).filter((entry) => entry.startsWith('expected.'))).toHaveLength(1)
    expect(found).toBe(readFileSync(expectedFile, 'utf8'))
  })

  test('has a fixture for every rule that a file can hold', () => {
    const found = cases.flatMap((name) => parseFixture(name).problems.map(({ ruleId }) => ruleId))
    const elsewhere = [
      ...['spec-too-large', 'invalid-utf8', 'nul-byte', 'vitest-comment', 'unreadable-markdown', 'needs-reports'],
      ...['recording-key', 'recording-mark', 'recording-blocks', 'recording-of', 'context-file', 'context-scenario'],
      ...['unknown-login', 'unknown-secret'],
    ]
    expect(Object.keys(specRules).filter((id) => !found.includes(id) && !elsewhere.includes(id))).toEqual([])
  })
})

describe('the agent', () => {
  test.each([
    [undefined, undefined, undefined, 'auto'],
    [undefined, undefined, 'codex', 'codex'],
    [undefined, 'claude', 'codex', 'claude'],
    ['codex', 'claude', undefined, 'codex'],
    ['codex', 'none', 'claude', 'none'],
    ['none', 'claude', 'codex', 'none'],
    [undefined, 'none', 'codex', 'none'],
    [undefined, undefined, 'none', 'none'],
    ['claude', undefined, 'none', 'claude'],
  ])('override %s, front matter %s and default %s make %s', (agentOverride, agent, agentDefault, expected) => {
    const text = `---\n${agent === undefined ? '' : `agent: ${agent}\n`}---\n\n# T\n\n\`\`\`sh run\na\n\`\`\`\n`
    const { spec } = parseSpec(text, {
      file: '/s.test.md',
      ...(agentOverride && { agentOverride }),
      ...(agentDefault && { agentDefault }),
    })
    expect(spec.agent).toBe(expected)
  })
})

describe('checks where no agent acts', () => {
  const block = '## Run\n\n```sh\ntrue\n```\n'
  const tasks = '- [x] done\n- [ ] open\n'
  const rulesOf = (body: string): readonly string[] =>
    parseSpec(`---\nagent: none\n---\n\n# A\n\n${block}\n${body}`, { file: '/p/a.test.md' }).problems.map(
      ({ ruleId }) => ruleId,
    )

  test('without an agent a check is a mistake', () => {
    expect(rulesOf(`## Roadmap\n\n${tasks}`)).toEqual(['check-without-agent', 'check-without-agent'])
    expect(rulesOf(`## Roadmap\n\n<!-- mdtest: fails -->\n\n${tasks}`)).toContain('check-without-agent')
  })

  test.for(['skip', 'skip="later"', 'todo'])('under `%s` it is none, in the section and all below', (word) => {
    const directive = `<!-- mdtest: ${word} -->\n\n`
    expect(rulesOf(`## Roadmap\n\n${directive}${tasks}`)).toEqual([])
    expect(rulesOf(`## Roadmap\n\n${directive}Soon.\n\n${tasks}`)).toEqual([])
    expect(rulesOf(`## Roadmap\n\n${directive}### Next\n\n${tasks}\n### Later\n\nText.\n\n${tasks}`)).toEqual([])
  })
})
