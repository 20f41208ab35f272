import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { happensWithin, leftAfter, processesOf } from '../support/leftovers.ts'

const farMs = 120_000
const text = `---\nagent: none\n---\n\n# T\n\n## Starts\n\n\`\`\`sh background\ntrap '' TERM INT HUP; touch up; while :; do sleep 1; done\n\`\`\`\n
## Waits\n\n\`\`\`sh\nuntil test -e up; do sleep 0.1; done; touch ready; sleep 300\n\`\`\`\n`

test.for(['SIGKILL', 'SIGINT', 'its worker is killed'] as const)('a service is gone after %s', async (end) => {
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'a.test.md': text })
  const running = project.start('vitest', ['run', '--pool=forks'])
  expect(await happensWithin(farMs, () => existsSync(project.path('ready')))).toBe(true)
  const worker = processesOf(project.dir).find(({ line }) => line.includes('workers/forks'))
  if (end === 'its worker is killed' && worker !== undefined) process.kill(worker.pid, 'SIGKILL')
  else if (running.pid !== undefined) process.kill(running.pid, end === 'SIGINT' ? 'SIGINT' : 'SIGKILL')
  await running
  expect(await leftAfter(project.dir, farMs)).toEqual([])
})
