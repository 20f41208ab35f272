import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createProject, plainConfig, type Project } from '../support/create-project.ts'
import { happensWithin } from '../support/leftovers.ts'

const farMs = 200_000

/** Says who is inside while it is, after waiting for somebody. */
const spec = (name: string, wait = 'true', front = ''): string =>
  `---\nagent: none\n${front}---\n\n# ${name}\n\n\`\`\`sh timeout=200s\ntouch inside/${name}; ${wait}\nsleep 0.3; ls inside > seen-${name}\nrm inside/${name}\n\`\`\`\n`
/** With two at a time these come first: they are the largest. */
const both = 'until test $(ls inside | grep -c "^[ab]$") -eq 2; do sleep 0.05; done # no other is waited for'
const files: Readonly<Record<string, string>> = {
  'vitest.config.js': plainConfig,
  'inside/.keep': '',
  ...{ 'a.test.md': spec('a', both), 'b.test.md': spec('b', both), 'd.test.md': spec('d') },
  'c.test.md': spec('c', 'sleep 1', 'side-effects: true\n'),
}
const seenBy = async (project: Project): Promise<readonly string[]> =>
  Promise.all(['a', 'b', 'c', 'd'].map(async (name) => (await project.read(`seen-${name}`)).trim()))

test.concurrent('a scenario with side effects runs alone, others that wait for each other at the same time', async () => {
  await using project = await createProject(files)
  const { exitCode, all } = await project.vitest(['run', '--maxWorkers=2'], { timeoutMs: farMs })
  expect(exitCode, all).toBe(0)
  expect((await seenBy(project))[2]).toBe('c')
  expect(all).toContain('steps: 4 passed: 4 verified')
  const run = await project.mdtest(['run', '--concurrency', '2'], { timeoutMs: farMs })
  expect(run.exitCode).toBe(0)
  expect((await seenBy(project))[2]).toBe('c')
  expect(run.stdout.trimEnd().split('\n').slice(-2)).toEqual(['steps: 4 passed: 4 verified', '4 passed, 0 failed'])
})

test.concurrent('a run that is canceled does not wait for a scenario that wants to be alone', async () => {
  const step = (front: string, code: string, last: string): string =>
    `---\nagent: none\n${front}---\n\n# A\n\n\`\`\`sh timeout=200s\n${code}\n\`\`\`\n\n## Teardown\n\n\`\`\`sh\n${last}\n\`\`\`\n`
  await using project = await createProject({
    'a.test.md': step('', 'touch started\nsleep 600', 'true'),
    'b.test.md': step('', 'until test -e started; do sleep 0.05; done', 'touch ended'),
    'c.test.md': step('side-effects: true\n', 'touch entered', 'touch torn-down'),
  })
  const isThere = (name: string) => (): boolean => existsSync(project.path(name))
  const running = project.start('mdtest', ['run', '--concurrency', '2'], { timeoutMs: farMs })
  for (const name of ['started', 'ended']) expect(await happensWithin(farMs, isThere(name))).toBe(true)
  // The scenario that wants to be alone comes next, sooner or later.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  running.kill('SIGINT')
  expect((await running).exitCode).toBe(130)
  expect(['entered', 'torn-down'].filter((name) => isThere(name)())).toEqual([])
})
