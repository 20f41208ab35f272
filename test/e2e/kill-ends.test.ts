import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { registerName } from '../../src/records/folders/run-register.ts'
import { createBusyProject } from '../support/busy-project.ts'
import { leftAfter, zombiesOf } from '../support/leftovers.ts'
import { passingSpec } from '../support/specs.ts'

const failingOnceBusy = `---
agent: none
---

# Fails

\`\`\`sh
for name in agent-child agent-stubborn agent-session block-background block-session block-stubborn block-front; do
  until test -e "ready/$name"; do sleep 0.05; done
done
false
\`\`\`
`

const endings = [
  {
    title: 'a block that takes too long',
    options: 'blockTimeoutMs: 1500',
    args: ['blocks.test.md'],
    specs: ['blocks'],
    code: 'BLOCK_TIMEOUT',
  },
  {
    title: 'an agent at its hard limit',
    options: 'hardTimeoutMs: 1500',
    args: ['agent.test.md'],
    specs: ['agent'],
    code: 'AGENT_TIMEOUT',
  },
  {
    title: 'an agent at its silence limit',
    options: 'silenceTimeoutMs: 1500',
    args: ['agent.test.md'],
    specs: ['agent'],
    code: 'AGENT_SILENT',
  },
  {
    title: '`--bail=1` while two more specs run',
    options: '',
    args: ['--bail=1'],
    specs: ['agent', 'blocks'],
    code: 'RUN_FAILED',
    files: { 'fails.test.md': failingOnceBusy },
  },
] as const // literals, for the names of specs

describe('nothing is left', () => {
  test.for(endings.map((ending) => [ending.title, ending] as const))('after %s', async ([, ending]) => {
    const { options, args, specs, code } = ending
    await using busy = await createBusyProject(options, 'files' in ending ? ending.files : {})
    const { process: running } = await busy.start('vitest', ['run', ...args], specs)
    const { exitCode, all } = await running
    expect(all).toContain(code)
    expect(exitCode).toBe(1)
    expect(await leftAfter(busy.project.dir)).toEqual([])
    expect(busy.temporaryFolders()).toEqual([])
  })

  test('after a second interrupt of `mdtest run`, which does not wait for a stubborn agent', async () => {
    await using busy = await createBusyProject()
    const { process: running } = await busy.start('mdtest', ['run', 'agent.test.md'], ['agent'])
    signal(running.pid, 'SIGINT')
    await new Promise((resolve) => setTimeout(resolve, 300))
    const startMs = performance.now()
    signal(running.pid, 'SIGINT')
    const ended = await running
    expect(performance.now() - startMs).toBeLessThan(3000)
    expect([130, 'SIGINT']).toContain(ended.exitCode ?? ended.signal)
    expect(await leftAfter(busy.project.dir)).toEqual([])
    expect(busy.temporaryFolders()).toEqual([])
  })

  test('after an interrupt of `mdtest run` before anything runs', async () => {
    await using busy = await createBusyProject()
    for (const delayMs of [0, 60, 120, 250, 500]) {
      const running = busy.project.start('mdtest', ['run'])
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      signal(running.pid, 'SIGINT')
      const ended = await running
      expect([130, 'SIGINT']).toContain(ended.exitCode ?? ended.signal)
    }
    expect(await leftAfter(busy.project.dir)).toEqual([])
  })

  test('after many runs in a row, and logs do not pile up', async () => {
    const log = `printf -- '---\\nstatus: pass\\n---\\n' > "$1"`
    await using busy = await createBusyProject('', {
      'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: { command: ['sh', '-c', ${JSON.stringify(log)}, 'sh', '{log}'] } })] }\n`,
      'blocks.test.md': passingSpec,
    })
    const older = Array.from({ length: 10 }, (_, n) => `2020-01-01T00-00-${10 + n}Z`)
    for (const stem of older) await busy.project.write(`agent.logs/${stem}.log.md`, '')
    await busy.project.write(`agent.logs/${registerName}`, `${older.join('\n')}\n`)
    const env = { TMPDIR: busy.tempDir }
    for (let round = 0; round < 3; round += 1) {
      // Two at once, in one directory.
      const runs = await Promise.all([busy.project.vitest(['run'], { env }), busy.project.mdtest(['run'], { env })])
      expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0])
    }
    expect(await leftAfter(busy.project.dir)).toEqual([])
    expect(busy.temporaryFolders()).toEqual([])
    const logs = readdirSync(busy.project.path('agent.logs')).filter((name) => name.endsWith('.log.md'))
    expect(logs.length).toBeLessThanOrEqual(11)
    expect(logs.length).toBeGreaterThanOrEqual(10)
  })

  test('not even zombies while the run goes on', async () => {
    const many = Array.from({ length: 5 }, (_, n) => `## Step ${n}\n\n\`\`\`sh\n(sleep 0.01 &)\nexit 0\n\`\`\`\n`)
    await using busy = await createBusyProject('', {
      'blocks.test.md': `---\nagent: none\n---\n\n# Many\n\n${many.join('\n')}\n## Last\n\n\`\`\`sh\nfor name in background session stubborn front; do touch "ready/block-$name"; done\nsleep 300\n\`\`\`\n`,
    })
    const { process: running } = await busy.start('vitest', ['run', 'blocks.test.md'], ['blocks'])
    expect(await zombiesAfter(busy.processes)).toEqual([])
    running.kill('SIGKILL')
    await running
    expect(await leftAfter(busy.project.dir)).toEqual([])
  })
})

function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(pid, name)
}

/** A zombie may be there for the moment until its parent looks. */
async function zombiesAfter(processes: () => Parameters<typeof zombiesOf>[0]): Promise<readonly number[]> {
  for (let round = 0; round < 40; round += 1) {
    if (zombiesOf(processes()).length === 0) return []
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return zombiesOf(processes())
}
