import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createProject, type Project } from '../support/create-project.ts'
import { happensWithin, leftAfter } from '../support/leftovers.ts'

function specWith(teardown: string, step = 'touch ready; sleep 300'): string {
  return `---
agent: none
---

# T

## Setup

\`\`\`sh
name=made
mkdir "$name"
\`\`\`

## Waits

\`\`\`sh
${step}
\`\`\`

## Comes after

\`\`\`sh
touch after
\`\`\`

## Teardown

\`\`\`sh
${teardown}
\`\`\`
`
}

const config = (options = ''): string =>
  `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ ${options} })] }\n`

/** Interrupts `mdtest run` while the step waits. */
async function interrupt(project: Project, signal: NodeJS.Signals) {
  const running = project.start('mdtest', ['run'], { timeoutMs: 60_000 })
  expect(await happensWithin(20_000, () => existsSync(project.path('ready')))).toBe(true)
  if (running.pid !== undefined) process.kill(running.pid, signal)
  return { running, startMs: performance.now() }
}

describe('a tear-down', () => {
  test.for(['SIGINT', 'SIGTERM'] as const)('runs after %s to `mdtest run`, and then nothing else', async (signal) => {
    await using project = await createProject({
      'vitest.config.js': config(),
      'a.test.md': specWith('rmdir "$name"; touch torn-down'),
    })
    const { running } = await interrupt(project, signal)
    const { exitCode, all } = await running
    expect(exitCode, String(all)).toBe(signal === 'SIGINT' ? 130 : 143)
    expect(existsSync(project.path('torn-down')), String(all)).toBe(true)
    expect(existsSync(project.path('made'))).toBe(false)
    expect(existsSync(project.path('after'))).toBe(false)
    expect(await leftAfter(project.dir)).toEqual([])
  })

  test('runs after an agent that would not end was ended', async () => {
    const wait = `trap '' TERM; touch ready; while :; do sleep 1; done`
    await using project = await createProject({
      'vitest.config.js': config(`agent: { command: ['sh', '-c', ${JSON.stringify(wait)}] }`),
      'a.test.md': '# T\n\n## Waits\n\nWait.\n\n## Teardown\n\n```sh run\ntouch torn-down\n```\n',
    })
    const { running } = await interrupt(project, 'SIGINT')
    const { exitCode, all } = await running
    expect(exitCode, String(all)).toBe(130)
    expect(existsSync(project.path('torn-down')), String(all)).toBe(true)
    expect(all).not.toMatch(/timed out/i)
    expect(await leftAfter(project.dir)).toEqual([])
  })

  test('that takes too long after an interrupt is ended after 10 s', async () => {
    await using project = await createProject({
      'vitest.config.js': config(),
      'a.test.md': specWith('touch tearing; sleep 300'),
    })
    const { running, startMs } = await interrupt(project, 'SIGINT')
    expect((await running).exitCode).toBe(130)
    expect(existsSync(project.path('tearing'))).toBe(true)
    expect(performance.now() - startMs).toBeGreaterThan(9000)
    expect(performance.now() - startMs).toBeLessThan(16_000)
    expect(await leftAfter(project.dir)).toEqual([])
  })

  test('is given up at a second interrupt', async () => {
    await using project = await createProject({
      'vitest.config.js': config(),
      'a.test.md': specWith('touch tearing; sleep 300'),
    })
    const { running } = await interrupt(project, 'SIGINT')
    expect(await happensWithin(8000, () => existsSync(project.path('tearing')))).toBe(true)
    const startMs = performance.now()
    if (running.pid !== undefined) process.kill(running.pid, 'SIGINT')
    await running
    expect(performance.now() - startMs).toBeLessThan(3000)
    expect(await leftAfter(project.dir)).toEqual([])
  })

  test('tries each of its blocks, those of included files too', async () => {
    await using project = await createProject({
      'vitest.config.js': config('blockTimeoutMs: 1500'),
      'shared.md': '## Teardown\n\n```sh run\necho included >> order\n```\n',
      'a.test.md': `---
agent: none
include: [./shared.md]
---

# T

## Works

\`\`\`sh
true
\`\`\`

## Teardown

${['echo one >> order; false', 'sleep 300', 'exit 3', 'echo two >> order'].map((code) => `\`\`\`sh run\n${code}\n\`\`\`\n`).join('\n')}`,
    })
    const { exitCode, all } = await project.vitest(['run'])
    expect(exitCode).toBe(1)
    expect((await project.read('order')).split('\n').toSorted(), all).toEqual(['', 'included', 'one', 'two'])
    expect(all.match(/TEARDOWN_FAILED/g)?.length).toBeGreaterThanOrEqual(3)
  })

  test('runs after a block that took too long, with the variables from before', async () => {
    await using project = await createProject({
      'vitest.config.js': config('blockTimeoutMs: 1500'),
      'a.test.md': specWith('rmdir "$name"; touch torn-down', 'name=other; sleep 300'),
    })
    const { exitCode, all } = await project.vitest(['run'])
    expect(all).toContain('BLOCK_TIMEOUT')
    expect(all).not.toContain('TEARDOWN_FAILED')
    expect(exitCode).toBe(1)
    expect(existsSync(project.path('torn-down'))).toBe(true)
    expect(existsSync(project.path('made'))).toBe(false)
  })
})
