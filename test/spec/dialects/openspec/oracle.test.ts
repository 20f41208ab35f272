import fc, { fuzzRuns } from '../../../support/fast-check.ts'
import { describe, expect, test } from 'vitest'
import { parseSpec } from '../../../../src/spec/parse-spec.ts'
import type { ParsedSpec } from '../../../../src/spec/spec.ts'
import { stepsOf } from '../../../../src/spec/spec.ts'
import { changeLines } from '../../../support/change-lines.ts'
import { openspecDocuments } from './documents.ts'

const dist = new URL('../../../../node_modules/@fission-ai/openspec/dist/core/', import.meta.url)

interface Oracle {
  readonly requirements: readonly { readonly scenarios: readonly { readonly rawText: string }[] }[]
}

const { MarkdownParser }: { readonly MarkdownParser: new (text: string) => { parseSpec(name: string): Oracle } } =
  await import(new URL('parsers/markdown-parser.js', dist).href)
const {
  Validator,
}: {
  readonly Validator: new () => {
    validateSpecContent(name: string, text: string): Promise<{ readonly valid: boolean }>
  }
} = await import(new URL('validation/validator.js', dist).href)

const parse = (text: string): ParsedSpec =>
  parseSpec(text, { file: '/suite/openspec/specs/a/spec.md', dialectOf: () => 'openspec' })

/** Scenarios by requirement, as OpenSpec reads them; nothing where it rejects the file. */
function oracleCounts(text: string): readonly number[] | undefined {
  try {
    const { requirements } = new MarkdownParser(text).parseSpec('a')
    return requirements.map(({ scenarios }) => scenarios.length)
  } catch {
    return undefined
  }
}

function ownCounts({ spec }: ParsedSpec): readonly number[] {
  const counts = new Map<number, number>()
  for (const { groups = [] } of spec.scenarios) {
    const line = groups[0]?.line ?? 0
    counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  return [...counts.values()]
}

async function compare(text: string): Promise<void> {
  const parsed = parse(text)
  const counts = oracleCounts(text)
  const { valid } = await new Validator().validateSpecContent('a', text)
  const lines = text.split('\n')
  if (counts !== undefined) expect(ownCounts(parsed), text).toEqual(counts.filter((count) => count > 0))
  expect({ valid: parsed.problems.length === 0, problems: valid ? parsed.problems : [] }, text).toEqual({
    valid,
    problems: [],
  })
  for (const step of parsed.spec.scenarios.flatMap(stepsOf)) expect(lines[step.line - 1]).toMatch(/^#{1,6}\s/)
}

describe('OpenSpec reads the same requirements and scenarios', () => {
  test.each(Object.entries(openspecDocuments))('%s', async (_name, text) => {
    await compare(text)
  })

  test('of changed documents', async () => {
    const texts = Object.values(openspecDocuments)
    const pieces = texts.join('\n').split('\n')
    const edit = fc.record({
      at: fc.nat(1000),
      kind: fc.constantFrom('drop', 'double', 'insert', 'indent', 'deeper'),
      piece: fc.constantFrom(...pieces),
    })
    const property = fc.asyncProperty(
      fc.constantFrom(...texts),
      fc.array(edit, { minLength: 1, maxLength: 6 }),
      (text, edits) => compare(changeLines(text, edits)),
    )
    await fc.assert(property, { numRuns: fuzzRuns(300) })
  }, 120_000)
})
