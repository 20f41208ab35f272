import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'

test('an interrupt of `mdtest run` ends the spec under way, tears it down, and no other is begun to fail', async () => {
  await using project = await createProject({
    'a.test.md': spec(
      'touch started; sleep 600',
      `touch after\n\`\`\`\n\n## Teardown\n\n\`\`\`sh\nrmdir "$name"; touch torn-down`,
    ),
    'b.test.md': spec('touch entered', 'true'),
  })
  const isThere = (name: string): boolean => existsSync(project.path(name))
  const running = project.start('mdtest', ['run', '--reporter', 'verbose'])
  await expect.poll(() => isThere('started'), { timeout: 100_000 }).toBe(true)
  running.kill('SIGINT')
  const { exitCode, stdout } = await running
  expect(exitCode).toBe(130)
  expect(stdout).toContain('Slow')
  expect(stdout).not.toMatch(/×|failed/)
  expect(['torn-down', 'made', 'after', 'entered'].map(isThere)).toEqual([true, false, false, false])
})

function spec(first: string, second: string): string {
  const steps = ['name=made; mkdir made', first, second]
  return `---\nagent: none\n---\n\n# Slow\n\n${steps.map((code, n) => `## ${n}\n\n\`\`\`sh\n${code}\n\`\`\`\n`).join('\n')}`
}
