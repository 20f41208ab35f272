import { expect, it } from 'vitest'
import type { Nodes, Root } from 'mdast'
import { parseMarkdown } from '../../src/spec/markdown/parse-markdown.ts'
import { inlineText } from '../../src/spec/markdown/positions-and-placeholders.ts'
import { parseSpec } from '../../src/spec/parse-spec.ts'
import { blocksOf, stepsOf, type Group, type Spec, type SpecLines, type Step } from '../../src/spec/spec.ts'
import fc from '../support/fast-check.ts'

/** How many documents are made; many take a while. */
const documentCount = Number(process.env.MDTEST_UNREAD_DOCUMENTS ?? 300)

const odd: Readonly<Record<string, readonly string[]>> = {
  front: [
    ...['---', 'agent: none', '---', '+++', 'cwd: temp', '<!-- Licence -->', '[a]: https://example.org'],
    ...['**agent**: none', '- **cwd**: temp', '***'],
  ],
  heading: [
    '# A',
    '## B',
    '## Pay',
    '### Setup',
    '## Set up',
    '## Clean up',
    ...['### Example', '## Setup (reset)', '## 2. Teardown'],
    '##C',
    'Pay it.',
    '===',
    '---',
  ],
  comment: [
    '<!--',
    '-->',
    ...['a --> b', '--> b', '`-->`', '<!--\na --> b'],
    '<!-- c -->',
    '<!-- mdtest: tags=a -->',
    '<!-- mdtest: skip -->',
    '<!-- mdtest skip -->',
  ],
  block: [
    '```sh verify',
    '```',
    '```console verfy',
    '~~~sh run',
    '~~~',
    '    ```sh verify',
    '    ```',
    '$ true',
    'true',
    ...[
      '```sh rnu',
      '```json flie=a.json',
      '```yaml File="a b"',
      '<pre>',
      '</pre>',
      '<pre>\n```sh verify\n```\n</pre>',
    ],
  ],
  check: [
    '- ☐ it is',
    '- ☐ it is',
    '✔️ it is',
    '- [ ] it is',
    '- [] it is',
    '-[ ] it is',
    '    - [ ] it is',
    '<details>',
    '</details>',
    '> - [x] it is',
    ...['- [ ]: it is', '- [x]: it is', '[x]: https://example.org'],
  ],
  prose: ['Do it.', '', '', '', '- an item', '| a |\n| - |\n| 1 |', '> quoted', '1. first'],
}
const openspec = {
  head: ['## Purpose', 'It is for those who write.', '## Requirements', '# Part two', '## ADDED Requirements'],
  named: [
    '### Requirement: R',
    '### Requirment: S',
    '#### Scenario: T',
    '#### Scenario:',
    ...['##### Scenario: U', '#### Requirement: V'],
    'It SHALL be.',
  ],
  clause: ['- **WHEN** a', '- **THEN** b', '- *THEN* c', '| THEN | d |', '- ✅ THEN e', '```gherkin', '```', 'Then f'],
}
const specKit = {
  head: ['### User Story 1 - A (Priority: P1)', '### Story 2 - B', '**Acceptance Scenarios**:', '**Error Scenarios**:'],
  clause: [
    '1. **Given** a, **When** b, **Then** c',
    ...['1. **Given** d (FR-1), **Then** e', '1. **Given** d, **Then** e (FR-001, 005)'],
    'Given f',
    '```gherkin',
    '```',
  ],
  listed: [
    ...['- **FR-001**: It MUST be.', '| FR-002 | It MUST be. |\n| - | - |\n| FR-003 | So. |', 'FR-004: So.'],
    ...['### Functional Requirements', '### Edge Cases', '**Edge Case Scenarios**:'],
  ],
}

const scenario = ['#### Scenario: S', '- **WHEN** a', '- **THEN** b', '']
const purpose = ['## Purpose', 'For whoever writes specs in a form that is odd, and still one that the tool takes.', '']
const requirement = ['### Requirement: Q', 'It SHALL be.', '', ...scenario]
const bases = {
  own: [
    '# Shop',
    '',
    '## Pay',
    '',
    'Pay it.',
    '',
    '- [ ] it is',
    '',
    '```sh verify',
    'true',
    '```',
    '',
    '## Look',
    '',
    'Do it.',
  ],
  openspec: ['# a', '', ...purpose, '## Requirements', '', ...requirement],
  change: ['## ADDED Requirements', '', ...requirement],
  specKit: [
    ...['# Feature Specification: A', '', '### User Story 1 - A (Priority: P1)', '', '**Acceptance Scenarios**:', ''],
    ...[
      '1. **Given** a, **When** b, **Then** c (FR-001)',
      '',
      '### Functional Requirements',
      '',
      '- **FR-001**: It MUST be.',
      '',
    ],
  ],
}

/** A sound document with odd lines in it. */
function documentsOf(
  base: readonly string[],
  pieces: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<string> {
  // Each piece is in at least 2 % of the documents.
  const line = fc.constantFrom(...Object.values(pieces).flat())
  const lines = fc.array(line, { minLength: 1, maxLength: 3, size: 'max' })
  return fc.array(fc.tuple(fc.nat(base.length), lines), { maxLength: 3, size: 'max' }).map((edits) => {
    const text = [...base]
    for (const [at, inserted] of edits) text.splice(at, 0, ...inserted)
    return text.join('\n')
  })
}

function withInner(part: Group | Step): readonly (Group | Step)[] {
  return part.kind === 'group' ? [part, ...part.children.flatMap(withInner)] : [part]
}

/** Lines of all that a spec holds. */
function linesRead({ scenarios, requirements = [] }: Spec): {
  readonly lines: ReadonlySet<number>
  isIn(line: number): boolean
  isSkipped(line: number): boolean
} {
  const steps = scenarios.flatMap((scenario) => [...stepsOf(scenario)])
  const hooks = scenarios.flatMap(({ setup, teardown }) => [setup, teardown].flatMap((hook) => hook ?? []))
  const parts = scenarios.flatMap(({ groups = [], children }) => [...groups, ...children.flatMap(withInner)])
  const own = [...scenarios, ...parts, ...hooks, ...requirements]
  const blocks = scenarios.flatMap(blocksOf)
  const outputs = blocks.flatMap((block) => (block.kind === 'script' ? block.expected.map(({ line }) => line - 1) : []))
  const checks = steps.flatMap((step) => step.checks.map(({ line }) => line))
  const holds =
    (parts: readonly SpecLines[]) =>
    (line: number): boolean =>
      parts.some((part) => part.line <= line && line <= part.endLine)
  return {
    lines: new Set([...own, ...blocks].map(({ line }) => line).concat(outputs, checks)),
    isIn: holds([...scenarios, ...steps]),
    isSkipped: holds([...scenarios, ...steps].filter(({ directives }) => directives.skip !== undefined)),
  }
}

function nodesOf(node: Nodes): readonly Nodes[] {
  return [node, ...('children' in node ? node.children.flatMap(nodesOf) : [])]
}

/** What a reader of markdown sees and mdtest has to know of: each with its line and what it may be besides read. */
function seenIn(text: string): readonly { readonly line: number; readonly what: string; readonly isMarked: boolean }[] {
  const parsed = parseMarkdown(text)
  const root: Root = parsed.ok ? parsed.root : { type: 'root', children: [] }
  const first = root.children.find((node) =>
    node.type === 'heading' ? node.depth > 1 : !['html', 'definition', 'thematicBreak'].includes(node.type),
  )
  return nodesOf(root).flatMap((node) => {
    const line = node.position?.start.line ?? 1
    if (node.type === 'listItem' && typeof node.checked === 'boolean') return [{ line, what: 'check', isMarked: true }]
    if (node.type === 'code' && node.lang) {
      return [{ line, what: 'fence', isMarked: /verif|verfy|run|rnu|file=|flie=/i.test(`${node.lang} ${node.meta}`) }]
    }
    if (node === first && /^(?:agent|cwd): \w+$/.test(inlineText(node))) return [{ line, what: 'key', isMarked: true }]
    if (node.type === 'paragraph')
      return /^(?:☐|\[ \])/.test(inlineText(node)) ? [{ line, what: 'check', isMarked: true }] : []
    if (node.type === 'html' && /^```sh verify/m.test(node.value) && !node.value.startsWith('<!--'))
      return [{ line, what: 'fence', isMarked: true }]
    if (node.type !== 'heading') return []
    return [
      { line, what: 'heading', isMarked: /^(?:Requirm?e?ment:|Scenario:|User Story|Story)/.test(inlineText(node)) },
    ]
  })
}

const seed = 20_261_128

it.each([
  ['of mdtest', documentsOf(bases.own, odd), undefined, '/suite/a.test.md'],
  ['of OpenSpec', documentsOf(bases.openspec, { ...odd, ...openspec }), 'openspec', '/suite/openspec/specs/a/spec.md'],
  [
    'of a change',
    documentsOf(bases.change, { ...odd, ...openspec }),
    'openspec',
    '/suite/openspec/changes/x/specs/a/spec.md',
  ],
  ['of Spec Kit', documentsOf(bases.specKit, { ...odd, ...specKit }), 'spec-kit', '/suite/specs/001-a/spec.md'],
])(
  'of odd documents %s nothing is passed over without a word',
  (_name, document, dialect, file) => {
    let readCount = 0
    fc.assert(
      fc.property(document, (text) => {
        const { spec, problems } = parseSpec(text, { file, agentDefault: 'claude', dialectOf: () => dialect })
        expect(problems.filter(({ line }) => line < 1 || line > text.split('\n').length)).toEqual([])
        // With a problem nothing of the document is run.
        if (problems.length > 0) return
        readCount += 1
        const { lines, isIn, isSkipped } = linesRead(spec)
        const lost = seenIn(text).filter(({ line, what, isMarked }) => {
          if (lines.has(line) || isSkipped(line) || (what === 'check' && spec.agent === 'none')) return false
          // A heading above all steps, and one of another tool's document that names nothing, is context.
          return dialect === undefined
            ? isMarked || (what === 'heading' && !isIn(line))
            : isMarked && what !== 'check' && (what === 'heading' || !isIn(line))
        })
        expect(lost, `${text}\n----`).toEqual([])
      }),
      { numRuns: documentCount, seed },
    )
    expect(readCount).toBeGreaterThan(documentCount / 10)
  },
  60_000 + 100 * documentCount,
)
