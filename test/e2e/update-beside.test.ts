import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { lane } from '../support/lane.ts'

const head = '---\nagent: none\n---\n\n'

function fence(language: string, ...lines: readonly string[]): string {
  return ['```' + language, ...lines, '```', ''].join('\n')
}

const echo = (expected: string): string => fence('console', '$ echo new', expected)

describe('-u beside agents', () => {
  const config = `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: { command: ['sh', 'agent.sh', '{log}'] } })] }\n`
  const pass = `printf -- '---\\nstatus: pass\\n---\\n' > "$1"\n`

  test('accepts what a verify block prints, which verifies nothing yet', async () => {
    const text = `# Shop\n\nBuy a mug.\n\n${fence('console verify', '$ echo new', 'old')}`
    await using project = await createProject({ 'vitest.config.js': config, 'agent.sh': pass, 'a.test.md': text })
    const { stdout } = await project.vitest(['run', '-u', '--reporter=json'])
    expect(verdictsOf(stdout, 'a.test.md')).toEqual(['pass claimed'])
    expect(stdout).toContain('"rewritten":[{"line":7}]')
    expect(await project.read('a.test.md')).toBe(text.replace('old', 'new'))
  })

  test('is not taken for a change by the agent of another spec', async () => {
    const waits = `for i in $(seq 100); do grep -q '^new$' a.test.md && grep -q '^new$' shared.md && break; sleep 0.1; done\n`
    const files = {
      'vitest.config.js': config,
      'agent.sh': `${waits}touch waited\n${pass}`,
      'shared.md': `## Shared\n\n${fence('console run', '$ echo new', 'old')}`,
      'a.test.md': `---\nagent: none\ninclude: [./shared.md]\n---\n\n# A\n\n## Own\n\n${fence('console', '$ echo new', 'old')}`,
      'b.test.md': `---\ninclude: [./shared.md]\n---\n\n# B\n\n## Buy\n\nBuy a mug.\n`,
      '.gitignore': 'node_modules\n*.logs\n.report.json\nwaited\n',
    }
    await using project = await createProject(files)
    const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: project.dir, stdio: 'pipe' })
    git('init', '-q')
    git('add', '-A')
    git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', 'all')
    const { stdout } = await project.vitest(['run', '-u', '--reporter=json'])
    expect(verdictsOf(stdout, 'b.test.md')).toEqual(['pass observed', 'pass claimed'])
    expect(verdictsOf(stdout, 'a.test.md')).toEqual(['pass observed', 'pass observed'])
    expect(await project.read('shared.md')).toBe(files['shared.md'].replace('old', 'new'))
    expect(await project.read('waited')).toBe('')
  })
})

test('-u takes the last attempt at a scenario', async () => {
  const text = `${head}# A\n\n## One\n\n${fence('console', '$ echo x >> tries; wc -l < tries', 'old')}\n## Two\n\n<!-- mdtest: retry=2 -->\n\n${fence('sh', '[ "$(wc -l < tries)" = 2 ]')}`
  await using project = await createProject({ 'a.test.md': text })
  const { all } = await project.mdtest(['run', '-u'])
  expect(all).toContain('1 passed, 0 failed')
  expect(await project.read('a.test.md')).toBe(text.replace('old', '2'))
})

describe('-u', () => {
  test('of a watch does the same for one run', async () => {
    const text = `${head}# A\n\n${echo('old')}`
    const files = {
      'vitest.config.js': plainConfig,
      'a.test.md': text,
      'drive.js': `import { startVitest } from 'vitest/node'
const vitest = await startVitest('test', [], { watch: true, reporters: ['default'] })
console.log("before " + vitest.state.getFailedFilepaths().length)
await vitest.updateSnapshot()
console.log(["after", vitest.state.getFailedFilepaths().length, vitest.snapshot.summary.updated].join(" "))
await vitest.close()
process.exit(0)
`,
    }
    await using project = await createProject(files)
    // Under CI nothing is rewritten.
    const env = { PATH: process.env.PATH, HOME: process.env.HOME }
    const output = execFileSync(lane.node, ['drive.js'], { cwd: project.dir, encoding: 'utf8', stdio: 'pipe', env })
    expect(output).toContain('before 1')
    expect(output).toContain('after 0 1')
    expect(await project.read('a.test.md')).toBe(text.replace('old', 'new'))
  })

  test('and inline snapshots take turns', async () => {
    const text = `${head}# A\n\n${fence('console', '$ seq 9', 'old')}\n${fence('ts', 'expect(1).toMatchInlineSnapshot()')}\n${echo('old')}`
    await using project = await createProject({ 'vitest.config.js': plainConfig, 'a.test.md': text })
    const first = await project.vitest(['run', '-u'])
    expect(first.all).toContain('Vitest is about to write inline snapshots into this spec')
    const snapshot = text.replace('Snapshot()', 'Snapshot(`1`)')
    expect(await project.read('a.test.md')).toBe(snapshot)
    expect((await project.vitest(['run', '-u'])).exitCode).toBe(0)
    const all = Array.from({ length: 9 }, (_, index) => index + 1).join('\n')
    expect(await project.read('a.test.md')).toBe(snapshot.replace('old', all).replace('old', 'new'))
  })
})

test('without -u an annotation is none and nothing is written', async () => {
  const text = `${head}# A\n\n${echo('old')}`
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'a.test.md': text })
  const { stdout } = await project.vitest(['run', '--reporter=json'])
  expect(readJsonReport(stdout)['a.test.md']?.map(({ codes }) => codes)).toEqual([['RUN_FAILED']])
  expect(await project.read('a.test.md')).toBe(text)
})
