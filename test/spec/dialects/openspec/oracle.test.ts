import fc from '../../../support/fast-check.ts'
import { describe, expect, test } from 'vitest'
import { parseSpec } from '../../../../src/spec/parse-spec.ts'
import type { ParsedSpec } from '../../../../src/spec/spec.ts'
import { changeLines } from '../../../support/change-lines.ts'
import { hugeSpec, openspecDocuments } from './documents.ts'

const dist = new URL('../../../../node_modules/@fission-ai/openspec/dist/core/', import.meta.url)

interface Requirement {
  readonly scenarios: readonly { readonly rawText: string }[]
}

interface Parsers {
  readonly MarkdownParser: new (text: string) => {
    parseSpec(name: string): { readonly requirements: readonly Requirement[] }
  }
  readonly ChangeParser: new (
    proposal: string,
    folder: string,
  ) => {
    parseSpecDeltas(
      name: string,
      plan: unknown,
    ): readonly { readonly operation: string; readonly requirement?: Requirement }[]
  }
  readonly parseDeltaSpec: (text: string) => unknown
  readonly Validator: new () => {
    validateSpecContent(name: string, text: string): Promise<{ readonly valid: boolean }>
  }
}

/** What OpenSpec reads specs with. */
const { MarkdownParser, ChangeParser, parseDeltaSpec, Validator }: Parsers = Object.assign(
  {},
  ...(await Promise.all(
    [
      'parsers/markdown-parser.js',
      'parsers/change-parser.js',
      'parsers/requirement-blocks.js',
      'validation/validator.js',
    ].map(
      (name) => import(new URL(name, dist).href) as Promise<object>, // a module
    ),
  )),
)

const parse = (text: string, file = 'openspec/specs/a/spec.md'): ParsedSpec =>
  parseSpec(text, { file: `/suite/${file}`, dialectOf: () => 'openspec' })

/** Texts of scenarios by requirement. */
type Texts = readonly (readonly string[])[]

const textsIn = (requirements: readonly Requirement[]): Texts =>
  requirements
    .map(({ scenarios }) => scenarios.map(({ rawText }) => rawText))
    .filter((scenarios) => scenarios.length > 0)

/** As OpenSpec reads them; nothing where it rejects the file. */
function oracle(text: string): Texts | undefined {
  try {
    return textsIn(new MarkdownParser(text).parseSpec('a').requirements)
  } catch {
    return undefined
  }
}

/** Of requirements that a change adds or modifies, in no order. */
function oracleOfChange(text: string): Texts {
  const deltas = new ChangeParser('', '').parseSpecDeltas('a', parseDeltaSpec(text))
  const wanted = deltas.filter(({ operation }) => operation === 'ADDED' || operation === 'MODIFIED')
  return textsIn(wanted.flatMap(({ requirement }) => requirement ?? []))
}

/** What stands in the lines below the headings of our scenarios. */
function own({ spec }: ParsedSpec, text: string): Texts {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)
  const byRequirement = new Map<number, string[]>()
  for (const { groups = [], line, endLine } of spec.scenarios) {
    expect(lines[line - 1]).toMatch(/^#{1,6}\s/)
    const requirement = groups[0]?.line ?? 0
    const texts = byRequirement.get(requirement) ?? []
    texts.push(lines.slice(line, endLine).join('\n').trim())
    byRequirement.set(requirement, texts)
  }
  return [...byRequirement.values()]
}

/** What OpenSpec passes over without a word. */
const passedOver = new Set(['unread-clause', 'unterminated-fence', 'swallowed-block', 'underlined-text', 'near-miss'])

async function compare(text: string): Promise<void> {
  const { spec, ...parsed } = parse(text)
  const problems = parsed.problems.filter(({ ruleId }) => !passedOver.has(ruleId))
  const texts = oracle(text)
  const { valid } = await new Validator().validateSpecContent('a', text)
  if (texts !== undefined) expect(own({ ...parsed, spec }, text), text).toEqual(texts)
  expect({ valid: problems.length === 0, problems: valid ? problems : [] }, text).toEqual({
    valid,
    problems: [],
  })
}

function compareChange(text: string): void {
  const sorted = (texts: Texts): Texts => texts.toSorted((one, other) => one.join().localeCompare(other.join()))
  expect(sorted(own(parse(text, 'openspec/changes/x/specs/a/spec.md'), text)), text).toEqual(
    sorted(oracleOfChange(text)),
  )
}

describe('OpenSpec reads the same requirements and scenarios', () => {
  test.each(Object.entries(openspecDocuments))('%s', async (_name, text) => {
    await compare(text)
  })

  test('of a change, but for what it removes and renames', () => {
    const scenario = (title: string): string => `#### Scenario: ${title}\n- **WHEN** asked\n- **THEN** it is\n\n`
    const requirement = (title: string, ...scenarios: readonly string[]): string =>
      `### Requirement: ${title}\nIt SHALL be.\n\n${scenarios.map(scenario).join('')}`
    const text = [
      `## ADDED Requirements\n\n${requirement('New', 'One', 'Two')}`,
      `## MODIFIED Requirements\n\n${requirement('Old', 'Three')}`,
      '## REMOVED Requirements\n\n### Requirement: Gone\n**Reason**: nobody asks\n\n',
      '## RENAMED Requirements\n\n- FROM: `### Requirement: A`\n- TO: `### Requirement: B`\n',
    ].join('')
    expect(parse(text, 'openspec/changes/x/specs/a/spec.md').spec.scenarios).toHaveLength(3)
    compareChange(text)
  })

  test('of 1,000 scenarios', async () => {
    await compare(hugeSpec)
    expect(parse(hugeSpec).spec.scenarios).toHaveLength(1000)
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
    await fc.assert(property)
  })
})
