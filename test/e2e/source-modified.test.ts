import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { createProject, type Project } from '../support/create-project.ts'
import { verdictsOf } from '../support/json-report.ts'

const spec = '# Shop\n\nPut a mug into the cart.\n'
const verify = (command: string): string => `${spec}\n\`\`\`sh verify\n${command}\n\`\`\`\n`

/** A project whose agent is this shell script; `$1` is the log. */
async function projectWithAgent(
  script: string,
  { files = {}, isRepository = true }: { files?: Readonly<Record<string, string>>; isRepository?: boolean } = {},
): Promise<Project> {
  const project = await createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nimport './settings.js'\nexport default { plugins: [mdtest({ agent: { command: ['sh', 'agent.sh', '{log}', '{spec}'] } })] }\n`,
    'settings.js': '',
    'agent.sh': `${script}\nprintf -- '---\\nstatus: pass\\n---\\n' > "$1"\n`,
    'src/shop.js': 'broken\n',
    '.gitignore': 'node_modules\n*.logs\n.report.json\n',
    'shop.test.md': spec,
    ...files,
  })
  if (!isRepository) return project
  const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: project.dir, stdio: 'pipe' })
  git('init', '-q')
  git('add', '-A')
  git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', 'all')
  return project
}

/** Runs its spec alone: agents of other specs would do the same beside it, and perhaps before it. */
async function verdictOn(project: Project): Promise<string | undefined> {
  const name = 'shop.test.md'
  const { stdout, all } = await project.vitest(['run', name, '--reporter=json'])
  const [verdict] = verdictsOf(stdout, name)
  return verdict ?? all
}

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

const writes = `---\nwrites: ['src/*']\n---\n\n${spec}`

const cases: readonly (readonly [
  title: string,
  script: string,
  verdict: string,
  more?: Parameters<typeof projectWithAgent>[1],
])[] = [
  ['leaves everything as it is', ':', 'pass claimed'],
  ['repairs the product', 'echo right > src/shop.js', 'fail SOURCE_MODIFIED'],
  ['removes a part of it', 'rm src/shop.js', 'fail SOURCE_MODIFIED'],
  ['makes it executable', 'chmod +x src/shop.js', 'fail SOURCE_MODIFIED'],
  ['adds a file', 'echo new > src/new.js', 'pass claimed'],
  ['writes what `writes` allows', 'echo right > src/shop.js', 'pass claimed', { files: { 'shop.test.md': writes } }],
  [
    'writes beside what `writes` allows',
    'echo >> agent.sh',
    'fail SOURCE_MODIFIED',
    { files: { 'shop.test.md': writes } },
  ],
  ['repairs the product and removes the repository', 'echo right > src/shop.js; rm -r .git', 'fail SOURCE_MODIFIED'],
  ['changes an ignored file', 'echo x >> node_modules/x', 'pass claimed'],
  [
    'plants a program beside those of packages',
    'mkdir -p node_modules/.bin; echo x > node_modules/.bin/node',
    'fail SOURCE_MODIFIED',
  ],
  [
    'installs one where `writes` allows it',
    'mkdir -p node_modules/.bin; echo x > node_modules/.bin/tool',
    'pass claimed',
    { files: { 'shop.test.md': `---\nwrites: ['node_modules/**']\n---\n\n${spec}` } },
  ],
  [
    'writes the recording of a spec where `writes` allows all',
    'echo x > other.recording.md',
    'fail SOURCE_MODIFIED',
    {
      files: { 'shop.test.md': `---\nwrites: ['**']\n---\n\n${spec}`, 'z/other.test.md': spec, 'other.test.md': spec },
    },
  ],
  ['edits the spec', 'echo done >> "$2"', 'fail SPEC_MODIFIED'],
  [
    'edits the seed of a plan, code of another runner that git does not know',
    'echo done >> tests/seed.spec.ts',
    'fail SPEC_MODIFIED',
    { files: { 'shop.test.md': plan, 'tests/seed.spec.ts': 'x\n' }, isRepository: false },
  ],
  ['leaves that seed as it is', ':', 'pass claimed', { files: { 'shop.test.md': plan, 'tests/seed.spec.ts': 'x\n' } }],
  [
    'changes the configuration without git',
    'echo >> vitest.config.js',
    'fail SOURCE_MODIFIED',
    { isRepository: false },
  ],
  ['changes what it imports without git', 'echo >> settings.js', 'fail SOURCE_MODIFIED', { isRepository: false }],
  ['changes the product without git', 'echo x > src/shop.js', 'pass claimed', { isRepository: false }],
  [
    'works in a temporary directory and changes the product',
    'cd "$(dirname "$2")" && echo x > src/shop.js',
    'fail SOURCE_MODIFIED',
    {
      files: {
        'shop.test.md': `---\ncwd: temp\n---\n\n${spec}`,
        'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: { command: ['sh', '-c', 'exec sh "$(dirname "$1")/agent.sh" "$0" "$1"', '{log}', '{spec}'] } })] }\n`,
      },
    },
  ],
]

describe('an agent that', () => {
  test.for(cases)('%s', async ([, script, verdict, more]) => {
    await using project = await projectWithAgent(script, more)
    expect(await verdictOn(project)).toBe(verdict)
  })
})

test('blocks may change what the agent may not', async () => {
  const text = `# Shop\n\n\`\`\`sh run\necho a >> src/shop.js\n\`\`\`\n\n${verify('echo b >> src/shop.js').slice(8)}`
  await using project = await projectWithAgent(':', { files: { 'shop.test.md': text } })
  expect(await verdictOn(project)).toBe('pass verified')
  expect(await project.read('src/shop.js')).toBe('broken\na\nb\n')
})

test('says which file, and the way out', async () => {
  await using project = await projectWithAgent('echo right > src/shop.js')
  const { all } = await project.vitest(['run'])
  expect(all).toContain('SOURCE_MODIFIED: The agent changed what it was to test: `src/shop.js`. Undo the change;')
  expect(all).toContain('`writes:`')
})
