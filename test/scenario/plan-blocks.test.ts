import { expect, test } from 'vitest'
import { isWholeRun, planBlocks } from '../../src/scenario/plan-blocks.ts'
import { parseSpec } from '../../src/spec/parse-spec.ts'
import { stepsOf } from '../../src/spec/spec.ts'

test('blocks of a heading run before the first step below it that is executed', () => {
  const run = (code: string): string => `\`\`\`sh\n${code}\n\`\`\`\n\n`
  const text = `---\nagent: none\n---\n\n# T\n\n${run('top')}## Group\n\n${run('group')}### Skipped\n\n<!-- mdtest: skip -->\n\n${run('a')}### To do\n\n### Next\n\n${run('b')}${run('c').replace('sh', 'sh skip')}`
  const { spec, problems } = parseSpec(text, { file: '/s.test.md' })
  expect(problems).toEqual([])
  const [scenario] = spec.scenarios
  const planned = scenario && planBlocks(scenario)
  const codes = (scenario ? stepsOf(scenario) : []).map((step) => planned?.of(step).map(({ code }) => code))
  expect(codes).toEqual([['a'], [], ['top', 'group', 'b']])
})

const skipped = '## Later\n\n<!-- mdtest: skip="not yet" -->\n\nDo it.\n\n## To do\n'
const prose = `# Notes\n\n## Add\n\nAdd it.\n\n## List\n\nList it.\n\n${skipped}`
const coded = '# Notes\n\n## Add\n\nAdd it.\n\n## Look\n\n```sh verify\ncat notes\n```\n'

test.each([
  [prose, [1], false],
  [prose, [2], true],
  [prose, [1, 2], true],
  [prose, [], false],
  [coded, [1], false],
  [coded, [2], true],
] as const)(
  'a run is of all of a scenario where it goes up to the last step that can run: %#',
  (text, selected, isWhole) => {
    const [scenario] = parseSpec(text, { file: '/s.test.md', agentDefault: 'claude' }).spec.scenarios
    expect(scenario && isWholeRun(scenario, new Set<number>(selected))).toBe(isWhole)
  },
)
