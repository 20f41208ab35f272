import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { lane } from '../support/lane.ts'
import { createProject, type Project } from '../support/create-project.ts'
import { waitsFor, watchedFiles } from '../support/watch-specs.ts'

const session = fileURLToPath(new URL('../support/editor-session.mjs', import.meta.url))

const agent = `import { appendFileSync } from 'node:fs'
appendFileSync('trace', 'agent\\n')
`
const config = `import { mdtest } from 'vitest-mdtest'
export default { plugins: [mdtest({ agent: { command: [${JSON.stringify(process.execPath)}, 'agent.mjs'] } })] }
`

const sums = `---
agent: none
tags: [smoke]
include: [shared.md]
---

# Sums

## Add <a>

\`\`\`sh
echo "add <a>" >> trace
\`\`\`

### Examples

| a   |
| --- |
| 1   |
| 20  |

## Later

<!-- mdtest: skip tags="slow" -->

### Inner

\`\`\`sh
false
\`\`\`

## To come

## Report

<!-- mdtest: tags="slow" -->

\`\`\`sh
echo report >> trace
\`\`\`
`

const odd = `# It's "odd" on line one

\`\`\`sh run
true
\`\`\`

## \`code\`, *em* & [link](http://127.0.0.1) &amp; 100 %s $HOME \${x} (a|b)? [c]* {d}+

\`\`\`sh run
echo odd >> trace
\`\`\`

# Same

## Same

\`\`\`sh run
true
\`\`\`

## Ünïcödé 🎉

### Same

\`\`\`sh run
true
\`\`\`
`

const oddTitle = 'code, em & link & 100 %s $HOME ${x} (a|b)? [c]* {d}+' // no template

const files = {
  'vitest.config.js': config,
  'agent.mjs': agent,
  'shared.md': '## Shared part\n\n```sh\necho shared >> trace\n```\n',
  'agent.test.md': '# Agent\n\nDo it.\n',
  'odd.test.md': odd,
  'sums.test.md': sums,
}

interface Session {
  readonly files: readonly string[]
  readonly parsed: Readonly<Record<string, readonly string[]>>
  readonly ran: readonly { readonly tree: readonly string[]; readonly results: readonly string[] }[]
  readonly saved: readonly string[]
  readonly reparsed: readonly string[]
}

async function editorSession(project: Project, request: object): Promise<Session> {
  const { PATH = '', HOME = '' } = process.env
  const { stdout, stderr } = await execa(lane.node, [session, JSON.stringify(request)], {
    cwd: project.dir,
    env: { PATH, HOME, NO_COLOR: '1' },
    extendEnv: false,
    reject: false,
    timeout: 240_000,
  })
  expect(stdout, stderr).toMatch(/^\{/)
  return JSON.parse(stdout)
}

test('an editor sees what a run sees, runs one step or one file, and sees a spec anew when it is saved', async () => {
  await using project = await createProject(files)
  const trace = async (): Promise<readonly string[]> => (await readFile(project.path('trace'), 'utf8')).split('\n')
  const shown = await editorSession(project, {
    runs: [
      { file: 'agent.test.md' },
      { file: 'sums.test.md', path: ['Sums', 'Add <a>', 'Add 20'] },
      { file: 'odd.test.md', path: [`It's "odd" on line one`, oddTitle] },
      { file: 'odd.test.md' },
      { file: 'sums.test.md' },
    ],
    edit: { file: 'sums.test.md', from: '## Report', to: '## Report all' },
  })
  expect(shown.files.toSorted()).toEqual(['mdtest: agent.test.md', 'mdtest: odd.test.md', 'mdtest: sums.test.md'])
  expect(shown.parsed['sums.test.md']).toEqual([
    'Sums :7 run',
    '  Shared part :7 run smoke',
    '  Add <a> :9 run',
    '    Add 1 :19 run smoke',
    '    Add 20 :20 run smoke',
    '  Later :22 skip slow',
    '    Inner :26 skip slow smoke',
    '  To come :32 todo smoke',
    '  Report :34 run smoke slow',
  ])
  expect(shown.parsed['odd.test.md']).toEqual([
    `It's "odd" on line one :1 run`,
    `  ${oddTitle} :7 run`,
    'Same :13 run',
    '  Same :15 run',
    '  Ünïcödé 🎉 :21 run',
    '    Same :23 run',
  ])
  const [agentFile, add20, oddStep, oddFile, sumsFile] = shown.ran
  expect(add20?.results.filter((result) => result.endsWith('passed'))).toEqual(['Sums > Add <a> > Add 20: passed'])
  expect(oddStep?.results.filter((result) => result.endsWith('passed'))).toEqual([
    `It's "odd" on line one > ${oddTitle}: passed`,
  ])
  expect(oddFile?.tree).toEqual(shown.parsed['odd.test.md'])
  expect(sumsFile?.tree).toEqual(shown.reparsed)
  expect(agentFile?.tree).toEqual(shown.parsed['agent.test.md'])
  // Writes no log. Asked for by hand it is started, though the editor watches and a save came before.
  expect(agentFile?.results).toEqual(['Agent: failed'])
  const add = ['shared', 'add 1', 'add 20']
  expect(await trace()).toEqual(['agent', ...add, 'odd', 'odd', ...add, 'report', ''])
  expect(shown.saved).toEqual(['sums.test.md'])
  expect(shown.reparsed).toContain('  Report all :34 run smoke slow')
})

/** What an extension of an editor does: no file watcher, runs by specification, and Vitest is told of changes. */
const runsAndSaves = `import { existsSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { createVitest } from 'vitest/node'
const vitest = await createVitest('test', { watch: true, reporters: ['./node_modules/runs.mjs'] }, { server: { watch: null } })
await vitest.standalone()
const path = (name) => process.cwd() + '/' + name
const specs = await vitest.globTestSpecifications(['both', 'cat'])
const runs = () => (existsSync('node_modules/runs.jsonl') ? readFileSync('node_modules/runs.jsonl', 'utf8').split('\\n').length - 1 : 0)
const until = async (count) => {
  while (runs() < count) await setTimeout(50)
}
await vitest.rerunTestSpecifications(specs)
await until(1)
// Nothing is to come of it: the next run is that of the next change.
vitest.watcher.onFileChange(path('both.logs/package.json'))
await setTimeout(1500)
vitest.watcher.onFileChange(path('data/one.txt'))
await until(2)
vitest.watcher.onFileChange(path('both.test.md'))
await until(3)
await vitest.close()
`

test('in an editor a run is a demand, a change is none, and logs are nothing', async () => {
  await using project = await createProject({ ...watchedFiles, 'editor.mjs': runsAndSaves })
  const { all } = await execa(lane.node, ['editor.mjs'], {
    cwd: project.dir,
    all: true,
    reject: false,
    timeout: 240_000,
  })
  const lines = (await project.read('node_modules/runs.jsonl').catch(() => '')).trim().split('\n')
  const waits = expect.stringMatching(waitsFor('a file was saved'))
  expect(
    lines.map((line) => JSON.parse(line)),
    all,
  ).toEqual([
    { 'both.test.md > Prose': 'passed', 'both.test.md > Code': 'passed', 'cat.test.md > Cat': 'passed' },
    { 'cat.test.md > Cat': 'passed' },
    { 'both.test.md > Prose': waits, 'both.test.md > Code': 'passed' },
  ])
})
