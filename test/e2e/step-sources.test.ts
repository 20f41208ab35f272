import { expect, test } from 'vitest'
import { parseSpec } from '../../src/spec/parse-spec.ts'
import { keysOf } from '../../src/spec/recording/step-keys.ts'
import { stepsOf } from '../../src/spec/spec.ts'
import { createProject } from '../support/create-project.ts'

const text = '# Shop\n\n## Fill\n\nPut tea into the cart.\n\n## Pay\n\nPay.\n'
const verified = '# Shop\n\n## Pay\n\nPay.\n\n```sh verify\ntrue\n```\n'

/** A recording of a spec, with what each step runs and prints. */
function recordingOf(source: string, ...steps: readonly (readonly [command: string, output: string])[]): string {
  const { spec } = parseSpec(source, { file: '/shop.test.md', agentDefault: 'claude' })
  const [scenario] = spec.scenarios
  if (scenario === undefined) throw new Error('no scenario')
  const keys = keysOf(spec, scenario, () => source)
  const sections = stepsOf(scenario).map(({ id, title }, index) => {
    const [command, output] = steps[index] ?? ['', '']
    return `## ${title}\n\n<!-- mdtest: key=${keys.get(id)} -->\n\n\`\`\`console\n$ ${command}\n${output}\n\`\`\`\n`
  })
  return `# Shop\n\n${sections.join('\n')}`
}

const tea = ['echo tea', 'tea'] as const // a pair
const coffee = ['echo coffee', 'tea'] as const // a pair
const broken = ['sh -c "exit 3"', 'tea'] as const // a pair

const files = {
  'vitest.config.js': `import { mdtest } from 'vitest-mdtest'
const agent = import.meta.dirname + '/agent.mjs'
export default { plugins: [mdtest({ agent: { command: [${JSON.stringify(process.execPath)}, agent, '{log}'] } })] }
`,
  'agent.mjs': `import { writeFileSync } from 'node:fs'
writeFileSync(process.argv[2], '---\\nstatus: pass\\n---\\n')
`,
  'fits.test.md': text,
  'fits.recording.md': recordingOf(text, tea, tea),
  'words.test.md': verified,
  'words.recording.md': recordingOf(verified, coffee),
  'word.test.md': text,
  'word.recording.md': recordingOf(text, tea, coffee),
  'fails.test.md': text,
  'fails.recording.md': recordingOf(text, broken, tea),
  'none.test.md': text,
  'stale.test.md': text,
  'stale.recording.md': recordingOf(text.replace('Pay.\n', 'Pay by card.\n'), tea, tea),
}

const listed = `fails.test.md agent command
  Shop :1
    Fill [agent] recorded :3
    Pay [agent] recorded :7
  replayed: 2 steps, no model

fits.test.md agent command
  Shop :1
    Fill [agent] recorded :3
    Pay [agent] recorded :7
  replayed: 2 steps, no model

none.test.md agent command
  Shop :1
    Fill [agent] :3
    Pay [agent] :7
  estimate: none, there is no past pass

stale.test.md agent command
  Shop :1
    Fill [agent] recorded :3
    Pay [agent] stale (it has changed) :7
  estimate: none, there is no past pass

word.test.md agent command
  Shop :1
    Fill [agent] recorded :3
    Pay [agent] recorded :7
  replayed: 2 steps, no model

words.test.md agent command
  Shop :1
    Pay [agent] [sh] recorded :3
  replayed: 1 step, no model

in all: no estimate; 2 specs without a past pass; replayed: 7 steps, no model`

test('everyone who looks at a run sees who carried out each step', async () => {
  await using project = await createProject(files)
  const plan = await project.mdtest(['list', '--cost'])
  expect(plan.stdout).toBe(listed)

  const { stdout, all, exitCode } = await project.vitest([
    'run',
    '--reporter=default',
    '--reporter=junit',
    '--outputFile.junit=r.xml',
    '--reporter=vitest-mdtest/reporter',
  ])
  expect(exitCode).toBe(1)
  const report = await project.read('r.xml')
  const sources = report
    .split('<testsuite ')
    .slice(1)
    .map((suite) => {
      const [, name] = /name="(\w+)\.test\.md"/.exec(suite) ?? []
      return `${name}: ${[...suite.matchAll(/name="mdtest:(?:source|handed-over)" value="([^"]*)"/g)].map(([, value]) => value).join(' | ')}`
    })
  expect(sources.toSorted()).toEqual([
    'fails: handed over: REPLAY_STALE | REPLAY_STALE, command failed, fails.recording.md:9 | handed over: REPLAY_STALE | REPLAY_STALE, command failed, fails.recording.md:9',
    'fits: replayed | replayed',
    'none: agent | agent',
    'stale: handed over: REPLAY_STALE | REPLAY_STALE, spec changed | handed over: REPLAY_STALE | REPLAY_STALE, spec changed',
    'word: replayed | handed over: REPLAY_DIFFERS | REPLAY_DIFFERS, wording changed, word.recording.md:18',
    'words: handed over: REPLAY_DIFFERS | REPLAY_DIFFERS, wording changed, words.recording.md:9',
  ])
  expect(stdout).toContain(
    '\nsteps: 3 replayed, 2 handed over (command failed), 2 handed over (spec changed), 2 handed over (wording changed), 2 by the agent\n',
  )
  // The agent's word alone does not make right what a replay has seen otherwise.
  expect(all).toMatch(/ASSURANCE_TOO_LOW: .*The pass is `claimed` only, and `evidenced` is needed, because a recorded/)

  const shown = await project.mdtest(['show', 'words.test.md'])
  expect(shown.stdout).toContain('1-pay pass verified in')
  expect(shown.stdout).toContain('handed over: REPLAY_DIFFERS')
  expect(shown.stdout).toMatch(
    /the recording did not fit: REPLAY_DIFFERS, wording changed, words\.recording\.md:9\n[^]*- tea\n +\+ coffee/,
  )

  await project.write(
    'none.recording.md',
    '---\nrecording-of: none.test.md\n---\n\n# Shop\n\n## Fill\n\n```sh\ntrue\n```\n',
  )
  const bad = await project.mdtest(['list', '--json', 'none.test.md', 'stale.test.md'])
  expect(bad.exitCode).toBe(1)
  expect(JSON.parse(bad.stdout)).toMatchObject([
    { problems: [{ file: project.path('none.recording.md'), ruleId: 'recording-key' }] },
    {
      scenarios: [
        { children: [{ recording: { state: 'recorded' } }, { recording: { state: 'stale', why: 'it has changed' } }] },
      ],
    },
  ])
})
