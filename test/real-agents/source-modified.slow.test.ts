import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { verdictsOf } from '../support/json-report.ts'
import { callOwn, playTurn, reportSpec } from '../support/scripts/report-spec.ts'
import { readTask } from '../support/scripts/read-task.ts'
import type { ModelScript } from '../support/model-server.ts'
import {
  claude,
  codex,
  createRealProject,
  skipReason,
  type RealProject,
  type RealProjectSetup,
} from './real-project.ts'

const spec = `# Shop

## Look

Run \`node -p "'look' + 1"\`. It prints "look1".

\`\`\`sh verify
echo '// of a block' >> shop.mjs
\`\`\`

## Buy

Run \`node repair.mjs\`. It prints "repaired".
`
const files = {
  'shop.mjs': "console.log('broken')\n",
  'repair.mjs': `import { writeFileSync } from 'node:fs'\nwriteFileSync('shop.mjs', 'right')\nconsole.log('repaired')\n`,
  'restore.mjs': `import { writeFileSync } from 'node:fs'\nwriteFileSync('shop.mjs', "console.log('broken')\\n")\n`,
  '.gitignore': '*.logs\nnode_modules\n.report.json\n',
  'shop.test.md': spec,
}
const restored = `# Shop

## Buy

Buy something.
`

/** Writes to the program with its own tool, puts it back and reports a pass. */
const restores: ModelScript = playTurn(function* (conversation) {
  const task = readTask(conversation.prompt)
  const file = task?.specFile.replace('shop.test.md', 'shop.mjs') ?? ''
  yield { kind: 'read', file }
  yield { kind: 'write', file, content: 'right' }
  yield { kind: 'command', command: 'node restore.mjs' }
  yield callOwn('report_step', { step: task?.steps[0]?.id, status: 'pass' })
  return 'Done.'
})

async function createRepository(setup: RealProjectSetup): Promise<RealProject> {
  const real = await createRealProject(setup)
  const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: real.project.dir, stdio: 'pipe' })
  git('init', '-q')
  git('add', '-A')
  git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', 'all')
  return real
}

describe.skipIf(skipReason !== '').each([claude, codex])(`$title${skipReason}`, ({ title: _title, agent, ...more }) => {
  test('fails the step in which it repairs the program that it tests', async () => {
    await using real = await createRepository({
      ...more,
      options: { agent, allow: ['Bash(node *)'] },
      script: reportSpec,
      files,
    })
    const { stdout, all } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    expect(verdictsOf(stdout, 'shop.test.md'), all).toEqual(['pass verified', 'fail SOURCE_MODIFIED'])
    expect(all).not.toContain('had been settled')
  })

  test('may repair a copy of it where the spec says so', async () => {
    const text = `---\ncwd: copy\nwrites: [shop.mjs]\n---\n\n${spec.replace("echo '// of a block' >> shop.mjs", 'test -e shop.mjs')}`
    await using real = await createRepository({
      ...more,
      options: { agent, allow: ['Bash(node *)'] },
      script: reportSpec,
      files: { ...files, 'shop.test.md': text },
    })
    const { stdout, all } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    expect(verdictsOf(stdout, 'shop.test.md'), all).toEqual(['pass verified', 'pass evidenced'])
    expect(await real.project.read('shop.mjs')).toBe(files['shop.mjs'])
    expect(await real.leftovers()).toEqual([])
  })

  test('fails when it writes to the program and puts it back', async () => {
    await using real = await createRepository({
      ...more,
      options: { agent, allow: ['Bash(node *)'] },
      script: restores,
      files: { ...files, 'shop.test.md': restored },
    })
    const { stdout, all } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    expect(verdictsOf(stdout, 'shop.test.md'), all).toEqual(['fail SOURCE_MODIFIED'])
    expect(await real.project.read('shop.mjs')).toBe("console.log('broken')\n")
  })
})
