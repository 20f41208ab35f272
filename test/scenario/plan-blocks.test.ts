import { expect, test } from 'vitest'
import { planBlocks } from '../../src/scenario/plan-blocks.ts'
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
