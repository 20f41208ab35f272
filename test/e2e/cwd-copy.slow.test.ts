import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProject, type Project } from '../support/create-project.ts'
import { commitAll } from '../support/git-project.ts'
import { verdictsOf } from '../support/json-report.ts'

const script = `cd . && echo agent > src/shop.js && echo new > made-by-agent
[ ! -e ruin ] || echo ruined > "$(dirname "$2")/src/shop.js"
printf -- '---\\nstatus: pass\\n---\\n' > "$1"
`
const base = {
  'vitest.config.js': `import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mdtest } from 'vitest-mdtest'
const agent = dirname(fileURLToPath(import.meta.url)) + '/agent.sh'
export default { plugins: [mdtest({ agent: { command: ['sh', agent, '{log}', '{spec}'] } })] }
`,
  'agent.sh': script,
  'src/shop.js': 'original\n',
  '.gitignore': 'node_modules\n*.logs\n.report.json\nsecret.env\n',
  'secret.env': 'KEY=1\n',
}

async function createRepository(files: Readonly<Record<string, string>>): Promise<Project> {
  const project = await createProject({ ...base, ...files })
  commitAll(project)
  return project
}

/** Runs the specs with a folder for temporary files of its own, and says what is left in it. */
async function run(project: Project): Promise<{ stdout: string; all: string; left: readonly string[] }> {
  const temp = await mkdtemp(join(tmpdir(), 'copy-'))
  const { stdout, all } = await project.vitest(['run', '--reporter=json'], { env: { TMPDIR: temp } })
  const left = (await readdir(temp)).filter((name) => name.startsWith('mdtest'))
  await rm(temp, { recursive: true, force: true })
  return { stdout, all, left }
}

const blocks = `---
agent: none
cwd: copy
---

# Copies

## Has what is tracked or new

\`\`\`console
$ cat src/shop.js untracked
changed since
untracked
$ ls -a secret.env .git
ls: cannot access 'secret.env': No such file or directory
ls: cannot access '.git': No such file or directory
[2]
\`\`\`

## Finds packages and its own folder

\`\`\`sh
node -e "import('vitest-mdtest').then(() => {})"
test "$TESTDIR" = "$PWD/specs" && test -e "$TESTDIR/blocks.test.md"
\`\`\`

## May do what it likes

\`\`\`sh
rm -r src specs/*; echo mine > untracked
\`\`\`

# A scenario of its own

\`\`\`sh
test "$(cat untracked)" = untracked && cat src/shop.js
\`\`\`
`

const shop = (front = '', more = 'true'): string =>
  `---\ncwd: copy\n${front}---\n\n# Shop\n\nBuy a mug.\n\n\`\`\`sh verify\n${more}\n\`\`\`\n`
const counter =
  '---\nagent: none\ncwd: copy\n---\n\n# Count\n\n```sh\necho x >> state; sleep 1\ntest "$(cat state)" = x\n```\n'

test('blocks and agents work in a fresh copy for each scenario, and nothing of it is left', async () => {
  const counters = ['count-1', 'count-2', 'count-3']
  await using project = await createRepository({
    'specs/blocks.test.md': blocks,
    'allowed.test.md': shop("writes: ['src/**']\n", 'cat made-by-agent; test "$(cat src/shop.js)" = agent'),
    'forbidden.test.md': shop(),
    ...Object.fromEntries(counters.map((name) => [`${name}.test.md`, counter])),
  })
  await project.write('src/shop.js', 'changed since\n')
  await project.write('untracked', 'untracked\n')
  const { stdout, all, left } = await run(project)
  expect(verdictsOf(stdout, 'blocks.test.md'), all).toEqual(Array(4).fill('pass verified'))
  // An agent may change of the copy what `writes` names, and nothing else; its log is where logs are.
  expect(verdictsOf(stdout, 'allowed.test.md')).toEqual(['pass verified'])
  expect(verdictsOf(stdout, 'forbidden.test.md')).toEqual(['fail SOURCE_MODIFIED'])
  expect((await readdir(project.path('allowed.logs'))).some((name) => name.endsWith('.log.md'))).toBe(true)
  // Side by side they do not see each other.
  for (const name of counters) expect(verdictsOf(stdout, `${name}.test.md`)).toEqual(['pass verified'])
  expect(await project.read('src/shop.js')).toBe('changed since\n')
  expect(await project.read('untracked')).toBe('untracked\n')
  expect(left).toEqual([])
})

test('an agent may not change the root from there, whatever `writes` names', async () => {
  await using project = await createRepository({ 'shop.test.md': shop("writes: ['**']\n"), ruin: '' })
  const { stdout } = await run(project)
  expect(verdictsOf(stdout, 'shop.test.md')).toEqual(['fail SOURCE_MODIFIED'])
})

test('without git everything is copied', async () => {
  const spec =
    '---\nagent: none\ncwd: copy\n---\n\n# All\n\n```console\n$ cat secret.env src/shop.js\nKEY=1\noriginal\n```\n'
  await using project = await createProject({ ...base, 'all.test.md': spec })
  expect(verdictsOf((await run(project)).stdout, 'all.test.md')).toEqual(['pass verified'])
})
