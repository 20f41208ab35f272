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
  test('is empty for a scenario with one agent step', () => {
    expect(linesBetween(`# T\n\n${run}## S\n\nDo it.\n\n${run}${verify}## Code\n\n${verify}`)).toEqual([])
  })

  test('is empty without any agent step', () => {
    expect(linesBetween(`# T\n\n${run}## S\n\n${run}${verify}`)).toEqual([])
  })

  test('finds the verify of an agent step that is not the last and the run of one that is not the first', () => {
    const text = `# T\n\n## A\n\nDo.\n\n${run}${verify}## B\n\nDo.\n\n${run}${verify}`
    expect(linesBetween(text)).toEqual([11, 19])
  })

  test('finds blocks of code steps and groups between agent steps', () => {
    const text = `# T\n\n## A\n\nDo.\n\n## Code\n\n${verify}## G\n\n${run}### B\n\nDo.\n`
    expect(linesBetween(text)).toEqual([9, 15])
  })

  test('counts prose of hooks as the first and the last agent part', () => {
    const text = `# T\n\n${run}## Setup\n\nLog in.\n\n${run}## A\n\n${verify}## B\n\nDo.\n\n## Teardown\n\nLog out.\n\n${run}${verify}`
    expect(linesBetween(text)).toEqual([3, 17, 29])
  })

  test('passes over skipped steps and blocks', () => {
    const text = `# T\n\n## A\n\nDo.\n\n\`\`\`sh verify skip\na\n\`\`\`\n\n## B\n\n<!-- mdtest: skip -->\n\nDo.\n\n${run}## C\n\nDo.\n`
    expect(linesBetween(text)).toEqual([])
  })

  test('finds nothing around the steps of an agent that reports', () => {
    const text = `# T\n\n${run}## A\n\nDo.\n\n${run}${verify}## Code\n\n${run}## B\n\nDo.\n\n${run}${verify}## C\n\n${run}`
    expect(linesBetween(text, true)).toEqual([])
  })

  test('finds blocks between steps and prose of hooks also where the agent reports', () => {
    const text = `# T\n\n## Setup\n\nLog in.\n\n${run}## A\n\n${verify}## B\n\nDo.\n\n${run}${verify}## C\n\n${verify}## Teardown\n\nLog out.\n\n${run}${verify}`
    expect(linesBetween(text, true)).toEqual([13, 21, 31, 39])
  })

  test('leaves the verify of the last step before prose of the tear-down to an agent that reports', () => {
    expect(linesBetween(`# T\n\n## A\n\nDo.\n\n${verify}## Teardown\n\nLog out.\n`, true)).toEqual([])
  })

  test('names the rule and the code in the problem', () => {
    const { spec } = parseSpec(`# T\n\n## A\n\nDo.\n\n${verify}## B\n\nDo.\n`, { file: '/s.test.md' })
    const [problem] = spec.scenarios.flatMap((scenario) => blocksBetweenProse(scenario, { hasReports: false }))
    expect(problem).toMatchObject({ line: 7, column: 1, ruleId: 'needs-reports' })
    expect(problem?.message).toMatch(/^This block stands between /)
  })
})
