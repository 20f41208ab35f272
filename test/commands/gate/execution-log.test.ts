import { expect, test } from 'vitest'
import { replaceSection } from '../../../src/commands/gate/gate.ts'

const section = '## Gate Results\n\n- a\n- b\n'

test.each([
  ['an empty log', '', section],
  ['a log without the section', '# Log\n\nDone.\n', `# Log\n\nDone.\n\n${section}`],
  ['a log without an end of line', '# Log', `# Log\n\n${section}`],
  [
    'an older section',
    `# Log\n\n## Gate Results\n\n- old\n\n${'old\n'.repeat(3)}\n ## Next  \n\ntext  \n`,
    `# Log\n\n${section}\n ## Next  \n\ntext  \n`,
  ],
  ['the same words in a fence', '```\n## Gate Results\n```\n', `\`\`\`\n## Gate Results\n\`\`\`\n\n${section}`],
  ['another level', '### Gate Results\n- old\n', '### Gate Results\n\n- a\n- b\n'],
  [
    'Windows',
    '# Log\r\n\r\n## Gate Results\r\n- old\r\n# Next\r\n',
    '# Log\r\n\r\n## Gate Results\r\n\r\n- a\r\n- b\r\n\r\n# Next\r\n',
  ],
])('%s', (_name, before, after) => {
  expect(replaceSection(before, ['- a', '- b'])).toBe(after)
  expect(replaceSection(after, ['- a', '- b'])).toBe(after)
})
