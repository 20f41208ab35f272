import { chmod } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'

/** Asks before it begins, as if somebody could see it; of a spec that says so it waits for an answer. */
const program = `#!/bin/sh
printf '\\033[1mDo you trust the files?\\033[0m\\n 1. Yes, I trust this folder\\n 2. No, exit\\n'
case "$*" in *patient.test.md*) exec sleep 600;; esac
exit 1
`

const spec = (name: string): string => `# ${name}\n\n## Add a mug\n\nPut a mug into the cart.\n`

test('a question before the first session is named, with the way out, where nobody can answer it', async () => {
  await using project = await createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: 'claude' })] }\n`,
    'bin/claude': program,
    'hasty.test.md': spec('Hasty'),
    'patient.test.md': spec('Patient'),
  })
  await chmod(project.path('bin/claude'), 0o755)
  const env = { PATH: `${project.path('bin')}:${process.env.PATH}`, NO_COLOR: '1' }
  const { all, exitCode } = await project.mdtest(['run', '--headless', '--silence-timeout', '2s'], { env })
  const question =
    'asks whether to trust this folder: answer it in the terminal (`mdtest run`), or start `claude` there'
  expect(all).toContain(`AGENT_CRASHED: The agent \`claude\` wrote no result log: it ${question}`)
  expect(all).toMatch(/AGENT_SILENT: The agent `claude` was stopped after 2000 ms without a sign of life/)
  expect(all).toContain(`It ${question}`)
  expect(all).toContain('0 passed, 0 failed, 2 blocked')
  expect(exitCode).toBe(1)
})
