import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { FixReport } from '../../src/fix/fix-report.ts'
import { missingProgram } from '../support/runner-project.ts'
import { playTurn } from '../support/scripts/report-spec.ts'
import { claude, codex, createRealProject, skipReason, type RealProject } from './real-project.ts'

/** What the model does in one attempt. */
interface Attempt {
  readonly write?: Readonly<Record<string, string>>
  /** Its last words. */
  readonly answer?: string
}

const status = (summary: string): string =>
  JSON.stringify({ status: 'done', summary, root_cause: 'A bug.', changed_files: [] })

const vitestProject = {
  'package.json': '{ "type": "module", "scripts": { "test": "vitest run" } }',
  'vitest.config.js': 'export default {}\n',
  'sum.js': 'export const sum = (a, b) => a - b\n',
  'sum.test.js': `import { expect, test } from 'vitest'
import { sum } from './sum.js'
test('adds', () => {
  expect(sum(2, 3)).toBe(5)
})
`,
}
const right = 'export const sum = (a, b) => a + b\n'

interface Fixing {
  readonly agent: typeof claude | typeof codex
  readonly files: Readonly<Record<string, string>>
  /** The last one is repeated. */
  readonly attempts: readonly Attempt[]
  readonly args?: readonly string[]
}

/** `mdtest fix` with a real agent, whose model plays one attempt after the other. */
async function fix({
  agent,
  files,
  attempts,
  args = [],
}: Fixing): Promise<{ exitCode: number | undefined; report: FixReport; real: RealProject }> {
  const place: { root: string } = { root: '' }
  const script = playTurn(function* ({ prompt }) {
    if (prompt.startsWith('You write the task')) return JSON.stringify({ task: 'Add.', focus: [], avoid: [] })
    // Claude Code asks for an answer by the schema until it gets one.
    if (!prompt.includes('# Make failing tests pass')) return status('Changed it.')
    const made = /^\d+\. /gm
    const attempt = attempts[Math.min(prompt.match(made)?.length ?? 0, attempts.length - 1)] ?? {}
    for (const [file, content] of Object.entries(attempt.write ?? {})) {
      yield { kind: 'read', file: `${place.root}/${file}` }
      yield { kind: 'write', file: `${place.root}/${file}`, content }
    }
    return attempt.answer ?? status('Changed it.')
  })
  const { title: _title, ...more } = agent
  const real = await createRealProject({ ...more, files, script })
  const { project } = real
  place.root = project.dir
  if (!('vitest.config.js' in files)) rmSync(project.path('vitest.config.js'))
  mkdirSync(project.path('node_modules/.bin'), { recursive: true })
  symlinkSync('../vitest/vitest.mjs', project.path('node_modules/.bin/vitest'))
  await project.write('.gitignore', 'node_modules\n')
  const git = (...rest: string[]): Buffer =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...rest], { cwd: project.dir })
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'first')
  const flags = ['fix', '--feature', 'sums', '--agent', agent.agent, '--json', ...args]
  const { exitCode, stdout } = await project.mdtest(flags, { env: real.env, timeoutMs: 170_000 })
  return { exitCode, report: JSON.parse(stdout) as FixReport, real } // by its schema
}

describe.skipIf(skipReason !== '').each([claude, codex])(`$title fixes a bug${skipReason}`, (agent) => {
  test('in three attempts, of which one weakens a test and one does nothing', async () => {
    const { exitCode, report, real } = await fix({
      agent,
      files: vitestProject,
      attempts: [
        { write: { 'sum.test.js': "import { test } from 'vitest'\ntest('adds', () => {})\n" } },
        { answer: status('I could not find anything.') },
        { write: { 'sum.js': right }, answer: status('It subtracted.') },
      ],
    })
    await using _real = real
    expect([exitCode, report]).toMatchObject([0, { result: 'success', total_tests: 1, failing_tests: 0, attempts: 3 }])
    expect(await real.project.read('sum.test.js')).toBe(vitestProject['sum.test.js'])
    expect((await real.project.read('sum.js')).trim()).toBe(right.trim())
    expect((report.cost_usd ?? 0) > 0).toBe(agent.agent === 'claude')
    expect(real.model.strays).toEqual([])
    expect(await real.leftovers()).toEqual([])
  })
})

describe.skipIf(skipReason !== '')(`claude and other languages${skipReason}`, () => {
  const missingPytest = missingProgram('pytest')
  test.skipIf(missingPytest !== undefined)('a bug in Python is fixed', async () => {
    const { exitCode, report, real } = await fix({
      agent: claude,
      files: {
        'pytest.ini': '[pytest]\n',
        'sums.py': 'def add(a, b):\n    return a - b\n',
        'test_sums.py': 'from sums import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n',
      },
      attempts: [{ write: { 'sums.py': 'def add(a, b):\n    return a + b\n' } }],
    })
    await using _real = real
    expect([exitCode, report]).toMatchObject([0, { result: 'success', total_tests: 1, attempts: 1 }])
  })

  const missingGo = missingProgram('go')
  test.skipIf(missingGo !== undefined)('one in Go is not, and the loop halts', async () => {
    const { exitCode, report, real } = await fix({
      agent: claude,
      files: {
        'go.mod': 'module sums\n\ngo 1.19\n',
        'sums.go': 'package sums\n\nfunc Add(a, b int) int { return a - b }\n',
        'sums_test.go':
          'package sums\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif got := Add(2, 3); got != 5 {\n\t\tt.Errorf("got %d, want 5", got)\n\t}\n}\n',
      },
      attempts: [{ write: { 'sums.go': 'package sums\n\nfunc Add(a, b int) int { return a * b }\n' } }],
      args: ['--max-attempts', '1'],
    })
    await using _real = real
    expect([exitCode, report]).toMatchObject([
      1,
      { result: 'incomplete', total_tests: 1, failing_tests: 1, attempts: 1 },
    ])
  })
})
