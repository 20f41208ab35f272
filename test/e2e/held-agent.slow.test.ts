import { chmod } from 'node:fs/promises'
import { existsSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createProject, plainConfig, type Project } from '../support/create-project.ts'
import { verdictsOf } from '../support/json-report.ts'
import { happensWithin, leftAfter } from '../support/leftovers.ts'

const farMs = 200_000
const client = fileURLToPath(new URL('../support/report-client.mjs', import.meta.url))

/** Leaves a loop behind, reports its only step, and does not end by itself. */
const program = `#!${process.execPath}
import { spawn } from 'node:child_process'
import { reportStep } from ${JSON.stringify(client)}
spawn('bash', ['-c', 'while :; do echo x >> grows; sleep 0.02; done'], { detached: true, stdio: 'ignore' }).unref()
setInterval(() => {}, 1000)
await reportStep({ step: '1-buy', status: 'pass', checks: [] })
process.exit()
`

async function createHeld(block: string): Promise<{ readonly project: Project; readonly env: Record<string, string> }> {
  const project = await createProject({
    'vitest.config.js': plainConfig,
    'bin/claude': program,
    'bin/package.json': '{"type":"module"}',
    'a.test.md': `---\nagent: claude\nexecutor: agent\ntimeout: 20s\nsilence-timeout: 20s\n---\n\n# Shop\n\n## Buy\n\nBuy a mug.\n\n\`\`\`sh verify timeout=200s\n${block}\n\`\`\`\n`,
  })
  await chmod(project.path('bin/claude'), 0o755)
  return { project, env: { PATH: `${project.path('bin')}:${process.env.PATH}` } }
}

describe.runIf(process.platform === 'linux').concurrent('an agent that is stopped while blocks run', () => {
  test('is gone with all that it started after SIGKILL to Vitest', async () => {
    const { project, env } = await createHeld('touch judging; sleep 600')
    await using _ = project
    const running = project.start('vitest', ['run'], { env, timeoutMs: farMs })
    expect(await happensWithin(farMs, () => existsSync(project.path('judging')))).toBe(true)
    const size = statSync(project.path('grows')).size
    await sleep(500)
    expect(statSync(project.path('grows')).size).toBe(size)
    if (running.pid !== undefined) process.kill(running.pid, 'SIGKILL')
    await running
    expect(await leftAfter(project.dir)).toEqual([])
  })

  test('has its limits for itself, and the block that waited for it says why it failed', async () => {
    const { project, env } = await createHeld(
      'touch judging; size=$(wc -c <grows); sleep 21; test "$(wc -c <grows)" != "$size"',
    )
    await using _ = project
    const { stdout, all } = await project.vitest(['run', '--reporter=json'], { env, timeoutMs: farMs })
    expect(verdictsOf(stdout, 'a.test.md'), all).toEqual(['fail VERIFY_FAILED'])
    expect(stdout).toContain('these background processes of the agent were paused: `bash -c while :;')
  })
})
