import { describe, expect, test } from 'vitest'

import { blocksBetweenProse } from '../../../src/spec/sections/blocks-between-prose.ts'
import { parseSpec } from '../../../src/spec/parse-spec.ts'

const run = '```sh run\na\n```\n\n'
const verify = '```sh verify\na\n```\n\n'

function linesBetween(text: string, hasReports = false): readonly number[] {
  const { spec, problems } = parseSpec(text, { file: '/s.test.md' })
  // Prose that nobody acts on is a matter of its own.
  expect(problems.filter(({ ruleId }) => ruleId !== 'hook-needs-agent-step')).toEqual([])
  return spec.scenarios.flatMap((scenario) => blocksBetweenProse(scenario, { hasReports })).map(({ line }) => line)
}

describe('blocksBetweenProse', () => {
  test.each([
    ['nothing beside one agent step', `# T\n\n${run}## S\n\nDo it.\n\n${run}${verify}## Code\n\n${verify}`, []],
    ['nothing without any agent step', `# T\n\n${run}## S\n\n${run}${verify}`, []],
    [
      'verify of the first, run of the last',
      `# T\n\n## A\n\nDo.\n\n${run}${verify}## B\n\nDo.\n\n${run}${verify}`,
      [11, 19],
    ],
    ['code steps and groups', `# T\n\n## A\n\nDo.\n\n## Code\n\n${verify}## G\n\n${run}### B\n\nDo.\n`, [9, 15]],
    [
      'what is beside prose of hooks',
      `# T\n\n${run}## Setup\n\nLog in.\n\n${run}## A\n\n${verify}## B\n\nDo.\n\n## Teardown\n\nLog out.\n\n${run}${verify}`,
      [3, 17, 29],
    ],
    [
      'nothing that is skipped',
      `# T\n\n## A\n\nDo.\n\n\`\`\`sh verify skip\na\n\`\`\`\n\n## B\n\n<!-- mdtest: skip -->\n\nDo.\n\n${run}## C\n\nDo.\n`,
      [],
    ],
  ])('finds %s', (_what, text, lines) => {
    expect(linesBetween(text)).toEqual(lines)
  })

  test.each([
    [
      'nothing around steps',
      `# T\n\n${run}## A\n\nDo.\n\n${run}${verify}## Code\n\n${run}## B\n\nDo.\n\n${run}${verify}## C\n\n${run}`,
      [],
    ],
    [
      'what is between steps and prose of hooks',
      `# T\n\n## Setup\n\nLog in.\n\n${run}## A\n\n${verify}## B\n\nDo.\n\n${run}${verify}## C\n\n${verify}## Teardown\n\nLog out.\n\n${run}${verify}`,
      [13, 21, 31, 39],
    ],
    ['not the verify of the last step', `# T\n\n## A\n\nDo.\n\n${verify}## Teardown\n\nLog out.\n`, []],
  ])('finds %s where the agent reports', (_what, text, lines) => {
    expect(linesBetween(text, true)).toEqual(lines)
  })

  test('names the rule and the code in the problem', () => {
    const { spec } = parseSpec(`# T\n\n## A\n\nDo.\n\n${verify}## B\n\nDo.\n`, { file: '/s.test.md' })
    const [problem] = spec.scenarios.flatMap((scenario) => blocksBetweenProse(scenario, { hasReports: false }))
    expect(problem).toMatchObject({ line: 7, column: 1, ruleId: 'needs-reports' })
    expect(problem?.message).toMatch(/^This block stands between /)
  })
})
