import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'

test('an interrupt of `mdtest run` ends the spec under way, and no other is begun to fail', async () => {
  await using project = await createProject({
    'a.test.md': spec('Slow', 'touch started\nsleep 60'),
    'b.test.md': spec('Next', 'touch entered'),
  })
  const isThere = (name: string): Promise<boolean> =>
    project.read(name).then(
      () => true,
      () => false,
    )
  const running = project.start('mdtest', ['run', '--reporter', 'verbose'])
  while (!(await isThere('started'))) await sleep(50)
  running.kill('SIGINT')
  const { exitCode, stdout } = await running
  expect(exitCode).toBe(130)
  expect(stdout).toContain('Slow')
  expect(stdout).not.toMatch(/×|failed/)
  expect(await isThere('entered')).toBe(false)
})

function spec(title: string, code: string): string {
  return `---\nagent: none\n---\n\n# ${title}\n\n\`\`\`sh\n${code}\n\`\`\`\n`
}
