import { mkdir, symlink } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { failingSpec, passingSpec } from '../support/specs.ts'

const proseSpec = '# Shop\n\n## Buy\n\nBuy a mug.\n'
const noAgents = { PATH: '/usr/bin:/bin' }

function lastLine(text: string): string | undefined {
  return text.trimEnd().split('\n').at(-1)
}

describe('mdtest run', () => {
  test('needs no configuration and ends with the counts of specs', async () => {
    await using project = await createProject({ 'a.test.md': passingSpec, 'sub/b.test.md': passingSpec })
    const { exitCode, stdout } = await project.mdtest(['run'])
    expect(lastLine(stdout)).toBe('2 passed, 0 failed')
    expect(exitCode).toBe(0)
  })

  test('runs all specs one after another in code unit order, whatever fails', async () => {
    const logging = (name: string): string =>
      `---\nagent: none\n---\n\n# ${name}\n\n\`\`\`sh\necho ${name} >> order\n\`\`\`\n`
    await using project = await createProject({
      'b.test.md': logging('b'),
      'B.test.md': logging('B'),
      'a/z.test.md': logging('a/z'),
      'a.test.md': failingSpec,
      'é.test.md': logging('é'),
      'node_modules/x/x.test.md': logging('never'),
      '.git/y.test.md': logging('never'),
      '.hidden/h.test.md': logging('hidden'),
    })
    const { exitCode, stdout } = await project.mdtest(['run'])
    expect(await project.read('order')).toBe('hidden\nB\na/z\nb\né\n')
    expect(lastLine(stdout)).toBe('5 passed, 1 failed')
    expect(exitCode).toBe(1)
  })

  test('does not follow directories that are links', async () => {
    await using project = await createProject({ 'a.test.md': passingSpec, 'real/b.test.md': passingSpec })
    await symlink(project.path('real'), project.path('linked'))
    await symlink(project.dir, project.path('real/loop'))
    const { stdout } = await project.mdtest(['run'])
    expect(lastLine(stdout)).toBe('2 passed, 0 failed')
  })

  test('takes explicit paths, once each, in place of discovery', async () => {
    await using project = await createProject({ 'a.test.md': passingSpec, 'b.test.md': failingSpec })
    const { exitCode, stdout } = await project.mdtest(['run', 'a.test.md', './a.test.md'])
    expect(lastLine(stdout)).toBe('1 passed, 0 failed')
    expect(exitCode).toBe(0)
  })

  test('takes files whose names hold glob characters', async () => {
    await using project = await createProject({ 'a[1] (x)*.test.md': passingSpec, '{b}!.test.md': passingSpec })
    const { stdout } = await project.mdtest(['run'])
    expect(lastLine(stdout)).toBe('2 passed, 0 failed')
  })

  test('selects a step by any line inside it', async () => {
    const lines = [7, 9, 10]
    const specs = Object.fromEntries(lines.map((line) => [`at-${line}.test.md`, failingSpec]))
    await using project = await createProject({ ...specs, 'a.test.md': failingSpec })
    const { exitCode, stdout } = await project.mdtest(['run', ...lines.map((line) => `at-${line}.test.md:${line}`)])
    expect(stdout).toContain('steps: 3 passed')
    expect(lastLine(stdout)).toBe('3 passed, 0 failed')
    expect(exitCode).toBe(0)
    expect((await project.mdtest(['run', 'a.test.md:16'])).exitCode).toBe(1)
  })

  test('filters by name with -t', async () => {
    await using project = await createProject({ 'a.test.md': failingSpec })
    expect((await project.mdtest(['run', '-t', 'Says hello'])).exitCode).toBe(0)
    const nothing = await project.mdtest(['run', '-t', 'no such step'])
    expect(nothing.exitCode).toBe(2)
    expect(nothing.stderr).toMatch(/^mdtest: No test ran/m)
    expect((await project.mdtest(['run', '-t', 'no such step', '--pass-with-no-tests'])).exitCode).toBe(0)
  })

  test('leaves stdout to a machine reporter', async () => {
    await using project = await createProject({ 'a.test.md': passingSpec })
    const { stdout, stderr } = await project.mdtest(['run', '--reporter', 'json'])
    expect(JSON.parse(stdout)).toMatchObject({ numPassedTests: 2 })
    expect(lastLine(stderr)).toBe('1 passed, 0 failed')
  })

  test('uses the options of the plugin in the directory and nothing else of its tests', async () => {
    await using project = await createProject({
      'vitest.config.js': `import { mdtest } from 'vitest-mdtest'
export default { plugins: [mdtest({ agent: { command: ['sh', 'agent.sh', '{log}'] } })], test: { globalSetup: './never.js', setupFiles: './never.js', include: ['**/*.js'] } }
`,
      'never.js': 'throw new Error("the specs have nothing to do with it")\n',
      'agent.sh': `printf -- '---\\nstatus: pass\\n---\\n' > "$1"\n`,
      'a.test.md': proseSpec,
    })
    const { exitCode, stdout } = await project.mdtest(['run'])
    expect(lastLine(stdout)).toBe('1 passed, 0 failed')
    expect(exitCode).toBe(0)
  })

  test('counts a blocked spec apart from a failed one', async () => {
    await using project = await createProject({
      'vitest.config.js': `import { mdtest } from 'vitest-mdtest'
export default { plugins: [mdtest({ agent: { command: ['sh', '-c', 'kill -9 $$'] } })] }
`,
      'a.test.md': proseSpec,
      'b.test.md': failingSpec,
      'c.test.md': passingSpec,
    })
    const { exitCode, stdout } = await project.mdtest(['run'])
    expect(lastLine(stdout)).toBe('1 passed, 1 failed, 1 blocked')
    expect(exitCode).toBe(1)
  })

  test('a spec error fails that spec and the others still run', async () => {
    await using project = await createProject({ 'a.test.md': '---\nagnet: none\n---\n# X\n', 'b.test.md': passingSpec })
    const { exitCode, stdout } = await project.mdtest(['run'])
    expect(lastLine(stdout)).toBe('1 passed, 1 failed')
    expect(exitCode).toBe(1)
  })

  const setUpErrors: readonly (readonly [title: string, args: readonly string[], message: RegExp])[] = [
    ['an unknown flag', ['--frobnicate'], /frobnicate/],
    ['a directory that is not there', ['-d', 'nowhere'], /nowhere/],
    ['a path that is not there', ['nope.test.md'], /nope\.test\.md/],
    ['a path of another kind', ['notes.md'], /notes\.md/],
    ['a path that is a directory without specs', ['dir.test.md'], /`dir\.test\.md` is a folder, and no file in it/],
    ['a path outside the directory', ['-d', 'sub', '../a.test.md'], /outside/],
    ['an unknown agent', ['-a', 'cursor'], /cursor/],
    ['an unknown assurance', ['--min-assurance', 'sure'], /--min-assurance.*claimed, observed.*sure/],
    ['a bad duration', ['--timeout', 'soon'], /--timeout.*soon/],
    ['a concurrency of zero', ['--concurrency', '0'], /--concurrency.*1 to 1000/],
    ['a concurrency that is no number', ['--concurrency', 'all'], /--concurrency.*`all`/],
    ['a duration of zero', ['--silence-timeout', '0s'], /--silence-timeout/],
    ['a line that belongs to no step', ['a.test.md:1'], /line 1/],
    ['an interface without a terminal', ['-i'], /needs a terminal/],
    ['an interface and none', ['-i', '--headless'], /contradict/],
    ['an agent that is not on PATH', ['-a', 'claude', 'prose.test.md'], /claude/],
    ['no agent at all', ['prose.test.md'], /claude.*codex/],
    ['a directory without specs', ['-d', 'empty'], /no spec/],
  ]

  test.for(setUpErrors)('%s is one sentence and exit code 2', async ([, args, message]) => {
    await using project = await createProject({
      'a.test.md': `---\nagent: none\n---\n\n${passingSpec.split('---\n\n')[1]}`,
      'prose.test.md': proseSpec,
      'notes.md': '# Notes\n',
      'sub/b.test.md': passingSpec,
      'empty/README.md': '',
    })
    await mkdir(project.path('dir.test.md'))
    const { exitCode, stderr, stdout } = await project.mdtest(['run', ...args], { env: noAgents })
    expect(stderr.trimEnd()).toMatch(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(stdout).toBe('')
    expect(exitCode).toBe(2)
  })

  test('runs what needs no agent, and names the specs that do, where there is none', async () => {
    await using project = await createProject({ 'a.test.md': passingSpec, 'sub/prose.test.md': proseSpec })
    const { exitCode, stderr, stdout } = await project.mdtest(['run'], { env: noAgents })
    expect(stderr).toContain('mdtest: No agent for the prose of sub/prose.test.md:3: blocked, as said below.')
    expect(stderr).toMatch(/npm install -g .*`agent: none`.*`requires: \['agent:auto'\]`/)
    expect(stderr).toContain('blocked: AGENT_NOT_FOUND')
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('1 passed, 0 failed, 1 blocked')
    expect(exitCode).toBe(1)
  })

  test('needs no agent for specs without prose', async () => {
    await using project = await createProject({ 'a.test.md': passingSpec })
    expect((await project.mdtest(['run', '-a', 'claude'], { env: noAgents })).exitCode).toBe(0)
  })

  test('prints its help and its version', async () => {
    await using project = await createProject({})
    expect((await project.mdtest(['--help'])).stdout).toContain('run')
    expect((await project.mdtest(['run', '--help'])).stdout).toContain('--silence-timeout')
    expect((await project.mdtest(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+/)
    expect((await project.mdtest([])).exitCode).toBe(2)
  })
})
