import { symlink } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { recordByHand, transcript } from '../support/hand-recording.ts'

/** An agent that takes everything for passed, and a plugin with these options. */
const withAgent = (options = ''): Readonly<Record<string, string>> => ({
  'vitest.config.js': `import { mdtest } from 'vitest-mdtest'
const agent = import.meta.dirname + '/agent.mjs'
export default { plugins: [mdtest({ agent: { command: [${JSON.stringify(process.execPath)}, agent, '{log}'] }, ${options} })] }
`,
  'agent.mjs': `import { appendFileSync, writeFileSync } from 'node:fs'
appendFileSync('started', 'x')
writeFileSync(process.argv[2], '---\\nstatus: pass\\n---\\n')
`,
})

const text = '# Shop\n\n## Fill\n\nPut tea into the cart.\n\n## Pay\n\nPay.\n'
const verified = '# Shop\n\n## Pay\n\nPay.\n\n```sh verify\ntrue\n```\n'
const tea = transcript('$ echo tea', 'tea')
const coffee = transcript('$ echo coffee', 'tea')
const broken = transcript('$ sh -c "exit 3"', 'tea')

const files = {
  ...withAgent(),
  'fits.test.md': text,
  'fits.recording.md': recordByHand(text, { bodies: { Fill: tea, Pay: tea } }),
  'words.test.md': verified,
  'words.recording.md': recordByHand(verified, { bodies: { Pay: coffee } }),
  'word.test.md': text,
  'word.recording.md': recordByHand(text, { bodies: { Fill: tea, Pay: coffee } }),
  'fails.test.md': text,
  'fails.recording.md': recordByHand(text, { bodies: { Fill: broken, Pay: tea } }),
  'none.test.md': text,
  'stale.test.md': text,
  'stale.recording.md': recordByHand(text.replace('Pay.\n', 'Pay by card.\n'), { bodies: { Fill: tea, Pay: tea } }),
}

const listed = `fails.test.md agent command
  Shop :1
    Fill [agent] recorded :3
    Pay [agent] recorded :7

fits.test.md agent command
  Shop :1
    Fill [agent] recorded :3
    Pay [agent] recorded :7

none.test.md agent command
  Shop :1
    Fill [agent] :3
    Pay [agent] :7

stale.test.md agent command
  Shop :1
    Fill [agent] recorded :3
    Pay [agent] stale (it, or what stands before it, has changed) :7

word.test.md agent command
  Shop :1
    Fill [agent] recorded :3
    Pay [agent] recorded :7

words.test.md agent command
  Shop :1
    Pay [agent] [sh] recorded :3`

test('everyone who looks at a run sees who carried out each step', async () => {
  await using project = await createProject(files)
  const plan = await project.mdtest(['list'])
  expect(plan.stdout).toBe(listed)

  const reporters = ['--reporter=default', '--reporter=junit', '--reporter=vitest-mdtest/reporter']
  const { stdout, all, exitCode } = await project.vitest(['run', ...reporters, '--outputFile.junit=r.xml'])
  expect(exitCode).toBe(1)
  const suites = (await project.read('r.xml')).split('<testsuite ').slice(1)
  const sources = suites.map((suite) => {
    const [, name] = /name="(\w+)\.test\.md"/.exec(suite) ?? []
    return `${name}: ${[...suite.matchAll(/name="mdtest:(?:source|handed-over)" value="([^"]*)"/g)].map(([, value]) => value).join(' | ')}`
  })
  expect(sources.toSorted()).toEqual([
    'fails: handed over: REPLAY_STALE | REPLAY_STALE, command failed, fails.recording.md:9 | handed over: REPLAY_STALE | REPLAY_STALE, command failed, fails.recording.md:9',
    'fits: replayed | replayed',
    'none: agent | agent',
    'stale: handed over: REPLAY_STALE | REPLAY_STALE, spec changed | handed over: REPLAY_STALE | REPLAY_STALE, spec changed',
    'word: replayed | handed over: REPLAY_DIFFERS | REPLAY_DIFFERS, output changed, word.recording.md:18',
    'words: handed over: REPLAY_DIFFERS | REPLAY_DIFFERS, output changed, words.recording.md:9',
  ])
  expect(stdout).toContain(
    '\nsteps: 3 replayed, 2 handed over (command failed), 2 handed over (output changed), 2 handed over (spec changed), 2 by the agent\n',
  )
  // The agent's word alone does not make right what a replay has seen otherwise.
  expect(all).toMatch(/ASSURANCE_TOO_LOW: .*The pass is `claimed` only, and `evidenced` is needed, because a recorded/)

  const shown = await project.mdtest(['show', 'words.test.md'])
  expect(shown.stdout).toContain('1-pay pass verified in')
  expect(shown.stdout).toMatch(
    /the recording did not match: REPLAY_DIFFERS, output changed, words\.recording\.md:9\n[^]*- tea\n +\+ coffee/,
  )

  await project.remove('none.recording.md').catch(() => {})
  const bad = '---\nrecording-of: none.test.md\nkeys: 2\n---\n\n# Shop\n\n## Fill\n\n```sh\ntrue\n```\n'
  await project.write('none.recording.md', bad)
  const json = await project.mdtest(['list', '--json', 'none.test.md', 'stale.test.md'])
  expect(json.exitCode).toBe(1)
  const states = [
    { recording: { state: 'recorded' } },
    { recording: { state: 'stale', why: 'it, or what stands before it, has changed' } },
  ]
  expect(JSON.parse(json.stdout)).toMatchObject([
    { problems: [{ file: project.path('none.recording.md'), ruleId: 'recording-key' }] },
    { scenarios: [{ children: states }] },
  ])
})

test('no agent works on a part of a scenario for a recording, and a line stands for all of it', async () => {
  await using project = await createProject({ ...withAgent('recordings: true'), 'shop.test.md': text })
  const part = await project.mdtest(['record', '-t', 'Fill'])
  expect(part.exitCode, part.all).toBe(1)
  expect(part.all).toContain('NOT_ELIGIBLE: Only a part of the scenario was selected')
  expect(part.all).toContain('`npx vitest-mdtest record shop.test.md:1`')
  expect(await project.read('started').catch(() => 'no')).toBe('no')
  const ofLine = await project.mdtest(['record', 'shop.test.md:3'])
  expect(ofLine.all).toMatch(/Tests +2 passed/)
  expect(ofLine.all).toContain('NEEDS_THE_MODEL')
  expect(await project.read('started')).toBe('x')
  // A run of tests is nobody's wish to record: its agent works.
  const tests = await project.vitest(['run', '-t', 'Fill'])
  expect(tests.exitCode, tests.all).toBe(0)
  expect(tests.stdout).toMatch(
    /not recorded: shop\.test\.md:1 "Shop": NOT_ELIGIBLE: Only a part .*`npx vitest-mdtest record/,
  )
  expect(await project.read('started')).toBe('xx')
})

test('a recording whose spec is gone is told once, however many projects have specs', async () => {
  const spec = '# Ends well\n\n```sh run\ntrue\n```\n'
  await using project = await createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'
const specs = (name) => ({
  plugins: [mdtest({ include: [\`\${name}/*.test.md\`], recordings: true })],
  test: { name, include: [] },
})
export default { test: { projects: [specs('one'), specs('two')] } }
`,
    'one/a.test.md': spec,
    'two/b.test.md': spec,
    'two/gone.recording.md': '---\nrecording-of: gone.test.md\nkeys: 2\n---\n',
  })
  const { stdout, all } = await project.vitest(['run'])
  expect(stdout, all).toMatch(/Tests +2 passed/)
  expect(stdout.match(/obsolete: .*/g)).toEqual([
    'obsolete: two/gone.recording.md: its spec is gone. Rename or delete it as well.',
  ])
})

test('what is recorded may need a package of the project, and is replayed through a link to the spec', async () => {
  const spec = '---\ncwd: copy\n---\n\n# Package\n\nDo it.\n'
  await using project = await createProject({
    'node_modules/shout/run.sh': 'tr a-z A-Z < "$1"\n',
    'words.txt': 'added milk\n',
    'package.test.md': spec,
    'package.recording.md': recordByHand(spec, {
      bodies: { Package: transcript('$ sh node_modules/shout/run.sh words.txt', 'ADDED MILK') },
    }),
  })
  const { all, exitCode, stdout } = await project.mdtest(['record', '--check', '--agent', 'claude'])
  expect(stdout, all).toContain('as recorded: package.recording.md')
  expect(exitCode).toBe(0)
  await symlink('package.test.md', project.path('link.test.md'))
  const linked = await project.mdtest(['run', 'link.test.md', '--replay=only', '--agent', 'claude'])
  expect(linked.all).toContain('1 passed: 1 reproduced')
})
