import { expect, it } from 'vitest'
import { notEligible } from '../../../src/recordings/gates/refuse-to-record.ts'
import type { ScenarioAccount } from '../../../src/scenario/scenario-input.ts'
import { parseSpec } from '../../../src/spec/parse-spec.ts'

/** Why nothing is recorded where an agent wrote `out/a.txt` with its own tools. */
function refusal(frontMatter: string): string | undefined {
  const text = `---\n${frontMatter}\n---\n\n# One\n\n## Setup\n\n\`\`\`sh run\ntrue\n\`\`\`\n\n## Write\n\nWrite it.\n`
  const { spec } = parseSpec(text, { file: '/w/one.test.md', agentDefault: 'claude' })
  const [scenario] = spec.scenarios
  if (scenario === undefined) throw new Error('no scenario')
  const step = { id: '1-write', title: 'Write', line: 15, outcome: 'pass', assurance: 'evidenced', reasons: [] }
  const directory = frontMatter.includes('cwd: out') ? '/w/out' : '/w'
  const account = {
    verdict: { steps: [step] },
    evidence: { name: 'claude', denials: [] },
    directory,
    calls: [{ kind: 'edit', step: '1-write', file: '/w/out/a.txt', content: 'a\n' }],
  } as unknown as ScenarioAccount // what is looked at
  const found = notEligible(spec, scenario, account)
  return found && `${found.code} ${found.step} ${/`[^`]*`/.exec(found.message)?.[0]}`
}

it.each([
  ['cwd: copy', undefined],
  ['cwd: temp', undefined],
  ['cwd: root', 'NEEDS_THE_MODEL Write `out/a.txt`'],
  ['cwd: root\nwrites: [src/**]', 'NEEDS_THE_MODEL Write `out/a.txt`'],
  ['cwd: root\nwrites: [out/**]', undefined],
  ['cwd: out\nwrites: [out/**]', undefined],
  ['cwd: out\nwrites: [a.txt]', 'NEEDS_THE_MODEL Write `a.txt`'],
])('a replay never replaces files of the project: %s', (frontMatter, expected) => {
  expect(refusal(frontMatter)).toBe(expected)
})
