import { mkdir, symlink } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { failingSpec, passingSpec } from '../support/specs.ts'

const proseSpec = '# Shop\n\n## Buy\n\nBuy a mug.\n'
const noAgents = { PATH: '/usr/bin:/bin' }
const logging = (name: string): string =>
  `---\nagent: none\n---\n\n# ${name}\n\n\`\`\`sh\necho '${name}' >> order\n\`\`\`\n`

function lastLine(text: string): string | undefined {
  return text.trimEnd().split('\n').at(-1)
}

test('without a configuration all specs run, one after another in code unit order, whatever fails', async () => {
  const names = ['b', 'B', 'a/z', 'é', '.hidden/h', 'a[1] (x)*', '{b}!', 'node_modules/x/x', '.git/y']
  await using project = await createProject({
    ...Object.fromEntries(names.map((name) => [`${name}.test.md`, logging(name)])),
    'a.test.md': failingSpec,
    'malformed.test.md': '---\nagnet: none\n---\n# X\n',
    'sub/prose.test.md': proseSpec,
  })
  await symlink(project.path('a'), project.path('linked'))
  await symlink(project.dir, project.path('a/loop'))
  const { exitCode, stdout, stderr } = await project.mdtest(['run'], { env: noAgents })
  expect(await project.read('order')).toBe('.hidden/h\nB\na/z\na[1] (x)*\nb\n{b}!\né\n')
  expect(lastLine(stdout)).toBe('7 passed, 2 failed, 1 blocked')
  expect(exitCode).toBe(1)
  expect(stderr).toContain('mdtest: No agent for sub/prose.test.md:3: blocked, as reported below.')
  expect(stderr).toMatch(/No agent is on PATH .*npm install -g .*`requires: \[.agent:auto.\]`/)
  expect(stderr).toContain('blocked: AGENT_NOT_FOUND')
})

test('paths stand in place of discovery, once each, a line for its step, and stdout is for the reporter', async () => {
  const lines = [7, 9, 10]
  const specs = Object.fromEntries(lines.map((line) => [`at-${line}.test.md`, failingSpec]))
  await using project = await createProject({ ...specs, 'a.test.md': passingSpec, 'b.test.md': failingSpec })
  const paths = ['a.test.md', './a.test.md', ...lines.map((line) => `at-${line}.test.md:${line}`)]
  const args = ['run', ...paths, '-a', 'claude', '--reporter', 'json']
  // An agent that is asked for and not there: nothing here needs it.
  const { exitCode, stdout, stderr } = await project.mdtest(args, { env: noAgents })
  expect(JSON.parse(stdout)).toMatchObject({ numPassedTests: 5, numFailedTests: 0 })
  expect(stderr).toContain('steps: 5 passed')
  expect(lastLine(stderr)).toBe('4 passed, 0 failed')
  expect(exitCode).toBe(0)
})

test('the options of the plugin in the directory hold, and nothing else of its tests', async () => {
  const agent = `case "$1" in *dies*) kill -9 $$;; esac; printf -- '---\\nstatus: pass\\n---\\n' > "$1"\n`
  await using project = await createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'
export default { plugins: [mdtest({ agent: { command: ['sh', 'agent.sh', '{log}'] } })], test: { globalSetup: './never.js', setupFiles: './never.js', include: ['**/*.js'] } }
`,
    'never.js': 'throw new Error("the specs have nothing to do with it")\n',
    'agent.sh': agent,
    'a.test.md': proseSpec,
    'dies.test.md': proseSpec,
  })
  const { exitCode, stdout } = await project.mdtest(['run'])
  expect(lastLine(stdout)).toBe('1 passed, 0 failed, 1 blocked')
  expect(exitCode).toBe(1)
})

// Values of flags: test/commands/common/flags.test.ts. Other mistakes on the command line: mistakes.test.ts.
test('what keeps a run from starting is one sentence and exit code 2', async () => {
  const setUpErrors: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [['notes.md'], /notes\.md/],
    [['dir.test.md'], /`dir\.test\.md` is a folder, and no file in it/],
    [['-d', 'sub', '../a.test.md'], /outside/],
    [['a.test.md:1'], /line 1/],
    [['-i'], /needs a terminal/],
    [['prose.test.md'], /claude.*codex/],
    [['-d', 'empty'], /no spec/],
  ]
  await using project = await createProject({
    'a.test.md': passingSpec,
    'prose.test.md': proseSpec,
    'notes.md': '# Notes\n',
    'sub/b.test.md': passingSpec,
    'empty/README.md': '',
  })
  await mkdir(project.path('dir.test.md'))
  for (const [args, message] of setUpErrors) {
    const { exitCode, stderr, stdout } = await project.mdtest(['run', ...args], { env: noAgents })
    expect(stderr.trimEnd(), args.join(' ')).toMatch(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect([stdout, exitCode]).toEqual(['', 2])
  }
})
