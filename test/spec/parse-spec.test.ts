import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

import { formatProblems } from '../../src/spec/format-problems.ts'
import { specAgentNames } from '../../src/agents/registry.ts'
import { parseSpec } from '../../src/spec/parse-spec.ts'
import type { ParsedSpec } from '../../src/spec/spec.ts'
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
  return problems.length > 0 ? `${problemText}\n` : `${JSON.stringify(model, undefined, 2)}\n`
}

/** Files that a spec of the folder includes stand beside it. */
function parseFixture(name: string): ParsedSpec & { readonly text: string } {
  const folder = new URL(`${name}/`, root)
  const text = readFileSync(new URL('spec.md', folder), 'utf8')
  const readIncluded = (path: string): string | { readonly problem: string } => {
    const here = new URL(relative('/suite', path), folder)
    return existsSync(here) ? readFileSync(here, 'utf8') : { problem: 'there is no such file.' }
  }
  return { text, ...parseSpec(text, { file, readIncluded, agentNames: specAgentNames }) }
}

/** Only what differs from an empty front matter. */
function compact(frontMatter: object): object {
  const empty = Object.entries(parseSpec('# x', { file }).spec.frontMatter)
  const defaults = new Map(empty.map(([key, value]) => [key, JSON.stringify(value)]))
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
      'spec-too-large',
      'invalid-utf8',
      'nul-byte',
      'vitest-comment',
      'unreadable-markdown',
      'needs-reports',
    ]
    expect(Object.keys(specRules).filter((id) => !found.includes(id) && !elsewhere.includes(id))).toEqual([])
  })
})
