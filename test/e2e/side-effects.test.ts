import { expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'

const spec = (name: string, frontMatter = ''): string =>
  `---\nagent: none\n${frontMatter}---\n\n# ${name}\n\n\`\`\`sh\necho begin ${name} >> trace\nsleep 2\necho end ${name} >> trace\n\`\`\`\n`
const files = {
  'a.test.md': spec('a'),
  'b.test.md': spec('b'),
  'c.test.md': spec('c', 'side-effects: true\n'),
  'd.test.md': spec('d'),
}

/** Names of scenarios that were under way at the same time as another, from what they wrote. */
function overlapping(trace: string): ReadonlySet<string> {
  const inside = new Set<string>()
  const found = new Set<string>()
  for (const [what, name = ''] of trace
    .trim()
    .split('\n')
    .map((line) => line.split(' '))) {
    if (what === 'end') inside.delete(name)
    else inside.add(name)
    if (inside.size > 1) for (const each of inside) found.add(each)
  }
  return found
}

// Together, because their scenarios sleep.
test.concurrent('a scenario with side effects runs alone, the others at the same time', async () => {
  await using project = await createProject({ 'vitest.config.js': plainConfig, ...files })
  const { exitCode, all } = await project.vitest(['run'])
  expect(exitCode, all).toBe(0)
  const found = overlapping(await project.read('trace'))
  expect(found.size).toBeGreaterThan(1)
  expect(found).not.toContain('c')
  expect(all).toContain('steps: 4 passed: 4 verified')
})

test.concurrent('the number of workers that the user gives wins', async () => {
  await using project = await createProject({ 'vitest.config.js': plainConfig, ...files })
  const { exitCode, all } = await project.vitest(['run', '--maxWorkers=1'])
  expect(exitCode, all).toBe(0)
  expect(overlapping(await project.read('trace'))).toEqual(new Set())
})

test.concurrent('`mdtest run` runs one spec at a time, or as many as it is told', async () => {
  await using project = await createProject({ 'vitest.config.js': plainConfig, ...files })
  expect((await project.mdtest(['run'])).exitCode).toBe(0)
  expect(overlapping(await project.read('trace'))).toEqual(new Set())
  await project.write('trace', '')
  const { exitCode, stdout } = await project.mdtest(['run', '--concurrency', '3'])
  expect(exitCode).toBe(0)
  const found = overlapping(await project.read('trace'))
  expect(found.size).toBeGreaterThan(1)
  expect(found).not.toContain('c')
  expect(stdout.trimEnd().split('\n').slice(-2)).toEqual(['steps: 4 passed: 4 verified', '4 passed, 0 failed'])
})

test.concurrent('a run that is canceled does not wait for a scenario that wants to be alone', async () => {
  const slow = `---\nagent: none\n---\n\n# Slow\n\n\`\`\`sh\ntouch started\nsleep 60\n\`\`\`\n`
  const alone = `---\nagent: none\nside-effects: true\n---\n\n# Alone\n\n\`\`\`sh\ntouch entered\n\`\`\`\n\n## Teardown\n\n\`\`\`sh\ntouch torn-down\n\`\`\`\n`
  const short = `---\nagent: none\n---\n\n# Short\n\n\`\`\`sh\nsleep 2\n\`\`\`\n\n## Teardown\n\n\`\`\`sh\ntouch ended\n\`\`\`\n`
  await using project = await createProject({ 'a.test.md': slow, 'b.test.md': short, 'c.test.md': alone })
  const running = project.start('mdtest', ['run', '--concurrency', '2'])
  await waitFor(() => project.read('started'))
  await waitFor(() => project.read('ended'))
  // The scenario that wants to be alone comes next.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  running.kill('SIGINT')
  const { exitCode } = await running
  expect(exitCode).toBe(130)
  await expect(project.read('entered')).rejects.toThrow('ENOENT')
  await expect(project.read('torn-down')).rejects.toThrow('ENOENT')
})

async function waitFor(read: () => Promise<unknown>): Promise<void> {
  const isThere = await read().then(
    () => true,
    () => false,
  )
  if (isThere) return
  await new Promise((resolve) => setTimeout(resolve, 100))
  return waitFor(read)
}
