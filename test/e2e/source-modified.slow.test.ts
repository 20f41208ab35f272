import { describe, expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { commitAll, projectOfAgent } from '../support/git-project.ts'
import { verdictsOf } from '../support/json-report.ts'

const spec = '# Shop\n\n## Buy\n\nBuy a mug.\n'
const verified = (front: string, directive = ''): string =>
  `---\n${front}\n---\n\n# Shop\n\n## Buy\n\n${directive}\n\nBuy a mug.\n\n\`\`\`sh verify\ngrep right src/shop.js\n\`\`\`\n`
const plan = `---
dialect: planner
writes: ['**']
---

# Shop

### 1. Cart

**Seed:** \`tests/seed.spec.ts\`

#### 1.1 Add a mug

**Steps:**
1. Put a mug into the cart

**Expected Results:**
- The cart has a mug
`
const repairs = 'grep -q right src/shop.js || { say fail; echo right > src/shop.js; }'
const other = '---\ninclude: [specs/part.md]\nagent: none\n---\n\n# Other\n\n## Do\n\n```sh\nfalse\n```\n'

interface Case {
  readonly title: string
  readonly agent: string
  readonly verdict: string
  readonly text?: string
  readonly args?: readonly string[]
  readonly files?: Readonly<Record<string, string>>
  readonly isRepository?: boolean
}

const modified = 'fail SOURCE_MODIFIED'
// What of a project is guarded, file by file: test/host/guard.
const cases: readonly Case[] = [
  {
    title: 'writes what `writes` allows',
    agent: 'echo right > src/shop.js',
    verdict: 'pass claimed',
    text: `---\nwrites: ['src/*']\n---\n\n${spec}`,
  },
  { title: 'repairs the product and removes the repository', agent: `rm src/shop.js; rm -r .git`, verdict: modified },
  {
    title: 'changes what the configuration imports, without git',
    agent: 'echo >> settings.js; echo > src/shop.js',
    verdict: modified,
    isRepository: false,
  },
  {
    title: 'edits the seed of a plan, code of another runner that git does not know',
    agent: 'echo done >> tests/seed.spec.ts',
    verdict: 'fail SPEC_MODIFIED',
    text: plan,
    files: { 'tests/seed.spec.ts': 'x\n' },
    isRepository: false,
  },
  {
    title: 'repairs the product before a retry of Vitest',
    agent: repairs,
    verdict: modified,
    text: verified('cwd: root'),
    args: ['--retry=2'],
  },
  {
    title: 'repairs the product for later tries, of which one is enough',
    agent: repairs,
    verdict: modified,
    text: verified('repeats: 3\nrequire: 1'),
  },
  {
    title: 'repairs a copy of the product before a retry',
    agent: repairs,
    verdict: modified,
    text: verified('cwd: copy', '<!-- mdtest: retry=1 -->'),
  },
]

describe.concurrent('an agent that', () => {
  test.for(cases)('$title', async ({ agent, verdict, text = spec, args = [], files, isRepository = true }) => {
    await using project = await projectOfAgent(agent, {
      files: { 'shop.test.md': text, 'settings.js': '', ...files },
      isRepository: false,
    })
    const config = await project.read('vitest.config.js')
    await project.write('vitest.config.js', `import './settings.js'\n${config}`)
    if (isRepository) commitAll(project)
    const { stdout, all } = await project.vitest(['run', '--reporter=json', ...args])
    const found = verdictsOf(stdout, 'shop.test.md')[0]?.split(' ') ?? []
    expect(found, all).toEqual(expect.arrayContaining(verdict.split(' ')))
  })

  test('weakens another spec, or what it includes, without git, fails', async () => {
    const weaken = 'sed -i s/false/true/ other.test.md; sed -i s/^false/true/ specs/part.md'
    await using project = await projectOfAgent(weaken, {
      files: { 'shop.test.md': spec, 'specs/part.md': '# Part\n\n## Look\n\n```sh\nfalse\n```\n' },
      isRepository: false,
    })
    await project.write('other.test.md', other)
    const { stdout } = await project.vitest(['run', '--reporter=json', 'shop.test.md'])
    expect(verdictsOf(stdout, 'shop.test.md')).toEqual([modified])
  })

  test('repairs the product lets no later scenario of the run pass', async () => {
    const files = {
      'a.test.md': verified('cwd: root'),
      'b.test.md': verified('cwd: root'),
      'c.test.md': verified('cwd: copy'),
    }
    await using project = await projectOfAgent(repairs, { files })
    const { stdout } = await project.vitest(['run', '--reporter=json', '--no-file-parallelism'])
    const all = Object.keys(files).map((name) => verdictsOf(stdout, name).join())
    expect(all.map((verdict) => verdict.startsWith('pass'))).toEqual([false, false, false])
    expect(all.map((verdict) => verdict.includes('SOURCE_MODIFIED'))).toEqual([true, true, true])
    expect(stdout).toMatch(/The agent of .{1,3}a\.test\.md > Shop.{1,3} changed what is to be tested/)
  })
})

test('blocks may change what the agent may not', async () => {
  const change = (kind: string, word: string): string => `\`\`\`sh ${kind}\necho ${word} >> src/shop.js\n\`\`\`\n`
  const text = `# Shop\n\n${change('run', 'a')}\nPut a mug into the cart.\n\n${change('verify', 'b')}`
  await using project = await projectOfAgent('', { files: { 'shop.test.md': text } })
  const { stdout } = await project.vitest(['run', '--reporter=json'])
  expect(verdictsOf(stdout, 'shop.test.md')).toEqual(['pass verified'])
  expect(await project.read('src/shop.js')).toBe('broken\na\nb\n')
})

test('an agent that kills what started it passes nothing, and the next one is started all the same', async () => {
  const agent = `require('fs').writeFileSync(process.argv[1], '---\\nstatus: pass\\n---\\n'); if (/a-first/.test(process.argv[1])) process.kill(process.ppid, 'SIGKILL')`
  const command = JSON.stringify([process.execPath, '-e', agent, '{log}'])
  await using project = await createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: { command: ${command} } })] }\n`,
    'a-first.test.md': spec,
    'shop.test.md': spec,
  })
  const { stdout, all } = await project.vitest(['run', '--reporter=json', '--no-file-parallelism'])
  expect(verdictsOf(stdout, 'a-first.test.md'), all).toEqual(['blocked AGENT_CRASHED'])
  expect(verdictsOf(stdout, 'shop.test.md'), all).toEqual(['pass claimed'])
})
