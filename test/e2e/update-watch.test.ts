import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'

const spec = (command: string, expected: string): string =>
  `---\nagent: none\n---\n\n# A\n\n\`\`\`console\n$ ${command}\n${expected}\n\`\`\`\n`

/** Waits until the runs of a watch have come to rest, and counts them. */
async function countRuns(read: () => string): Promise<number> {
  for (let last = -1; ;) {
    const count = read().match(/Duration {2}/g)?.length ?? 0
    if (count > 0 && count === last) return count
    last = count
    await setTimeout(2500)
  }
}

describe('a watch', () => {
  test.each([
    ['that updates comes to rest after one more run', spec('echo new', 'old'), 'new'],
    ['does not go round in circles where the output is never the same', spec('date +%s%N', 'old'), /^\d+$/],
  ])('%s', async (_title, text, expected) => {
    await using project = await createProject({ 'vitest.config.js': plainConfig, 'a.test.md': text })
    const running = project.start('vitest', ['--watch', '-u', '--reporter=default'])
    let output = ''
    running.all?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    try {
      expect(await countRuns(() => output)).toBeLessThanOrEqual(2)
      const line = (await project.read('a.test.md')).split('\n')[8]
      expect(line).toMatch(expected)
      if (expected !== 'new') expect(output).toContain('it was rewritten a moment ago')
    } finally {
      running.kill('SIGTERM')
      await running
    }
  })
})
