import { expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'

const big = "head -c 4000000 /dev/zero | tr '\\0' 'a'"
const block = (code: string, output = ''): string => `\`\`\`sh\n${code}\n\`\`\`\n${output}`
const expecting = (text: string): string => `\n\`\`\`output\n${text}\n\`\`\`\n`
const scenarios = Array.from({ length: 30 }, (_, n) => `# S${n}\n\n## A\n\n${block(big, expecting('nothing'))}`)
const captures = Array.from({ length: 3 }, (_, n) => `## C${n}\n\n${block(big, expecting(`{{x${n}:/a+/}}`))}`)

// 120 MB of output with 110 MB for objects.
test('what failed blocks have printed is not kept, and what is captured has a limit', async () => {
  await using project = await createProject({
    'vitest.config.js': plainConfig,
    'failed.test.md': `---\nagent: none\n---\n\n${scenarios.join('\n')}`,
    'captured.test.md': `---\nagent: none\n---\n\n# C\n\n${captures.join('\n')}`,
  })
  const env = { NODE_OPTIONS: '--max-old-space-size=110' }
  const { exitCode, all } = await project.vitest(['run', '--reporter=dot', '--maxWorkers=1'], {
    env,
    timeoutMs: 290_000,
  })
  expect(all).toContain('steps: 1 passed: 1 verified; 32 failed')
  expect(all).toMatch(
    /The values that the scenario has captured have 8000000 characters together, more than 4194304\. Capture less/,
  )
  expect(exitCode).toBe(1)
})
