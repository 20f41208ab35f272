import { describe, expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'

const files = {
  'vitest.config.js': plainConfig,
  'specs/shop.test.md': `---
agent: none
include: [../shared/count.md]
---

# Shop

## Double <n>

\`\`\`ts
import { double } from './lib/double.ts'
expect(double(<n>)).toBe(<twice>)
\`\`\`

### Examples

| n   | twice |
| --- | ----- |
| 1   | 2     |
| 2   | 5     |
`,
  'specs/lib/double.ts': 'export const double = (n: number): number => 2 * n\n',
  'shared/count.md': `# Count

\`\`\`ts
import { count } from './count.ts'

expect(count).toBe(3)
\`\`\`
`,
  'shared/count.ts': 'export const count = 3\n',
}

describe('a ts block', () => {
  test('has the values of its row, and in an included file the imports of that file', async () => {
    await using project = await createProject(files)
    const { stdout, all } = await project.vitest(['run', '--reporter=json'])
    const tests = readJsonReport(stdout)['shop.test.md'] ?? []
    expect(
      tests.map(({ name, outcome, messages }) => [name, outcome, ...(messages ?? [])]),
      all,
    ).toEqual([
      ['Shop > Count', 'pass'],
      ['Shop > Double <n> > Double 1', 'pass'],
      ['Shop > Double <n> > Double 2', 'fail', expect.stringContaining('expected 4 to be 5')],
    ])
  })

  test('points into the included file', async () => {
    await using project = await createProject({ ...files, 'shared/count.ts': 'export const count = 4\n' })
    const { all } = await project.vitest(['run'])
    expect(all).toContain('shared/count.md:6')
    expect(all).toContain('expected 4 to be 3')
  })
})
