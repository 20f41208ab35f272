import { mkdir, readdir, symlink } from 'node:fs/promises'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { createProject, type Project } from '../support/create-project.ts'
import { jest, lane, type Lane } from '../support/lane.ts'

const unit = `import { expect, test } from 'vitest'\ntest('adds', () => expect(1 + 1).toBe(2))\n`

test('mdtest init adds the plugin, an example that passes and ignored logs, once', async () => {
  await using project = await createProject({
    'vitest.config.ts': `import { defineConfig, type UserConfig } from 'vitest/config'

export default defineConfig({
  // ours
  test: { globals: true },
} satisfies UserConfig)
`,
    'unit.test.ts': unit,
    '.gitignore': 'dist/',
  })
  const first = await project.mdtest(['init'])
  expect(first.stdout).toMatchInlineSnapshot(`
      "changed vitest.config.ts
        + import { mdtest } from 'vitest-mdtest'
        +   plugins: [mdtest()],

      created example.test.md
        + ---
        + agent: none
        + ---
        +
        + # Example
        +
        + A heading without headings below it is one test. Here no agent acts: mdtest runs the code blocks, and text like this is
        + for readers. In a spec without \`agent: none\` a coding agent does what the text says: that needs Claude Code or Codex,
        + installed and logged in.
        +
        + ## Node.js adds numbers
        +
        + \`\`\`console
        + $ node -p "1 + 2"
        + 3
        + \`\`\`

      changed .gitignore
        + *.logs/

      Then install the package: npm i -D vitest-mdtest
      Run the specs: npx vitest run --project mdtest"
    `)
  expect(first.exitCode).toBe(0)
  expect(await project.read('vitest.config.ts')).toMatchInlineSnapshot(`
      "import { defineConfig, type UserConfig } from 'vitest/config'
      import { mdtest } from 'vitest-mdtest'

      export default defineConfig({
        plugins: [mdtest()],
        // ours
        test: { globals: true },
      } satisfies UserConfig)
      "
    `)
  expect(await project.read('.gitignore')).toBe('dist/\n*.logs/\n')
  const run = await project.vitest(['run'])
  expect(run.stdout).toMatch(/Tests +2 passed/)
  expect(run.exitCode).toBe(0)

  const before = await contents(project)
  const second = await project.mdtest(['init'])
  expect(second.stdout).toContain('Nothing to do')
  expect(second.exitCode).toBe(0)
  expect(await contents(project)).toEqual(before)
})

test.for([
  [{ 'package.json': '{ "type": "module" }' }, 'vitest.config.js'],
  [{ 'package.json': '{ "type": "module" }', 'tsconfig.json': '{}' }, 'vitest.config.ts'],
  [{ 'package.json': '{}' }, 'vitest.config.mjs'],
  [{ 'package.json': '{}', 'tsconfig.json': '{}' }, 'vitest.config.mts'],
] as const)('without a configuration mdtest init makes one: %j', async ([files, name]) => {
  await using project = await createProject(files)
  const dry = await project.mdtest(['init', '--dry-run'])
  expect(dry.stdout).toContain(`would create ${name}\n  + import`)
  expect(await readdir(project.dir)).not.toContain(name)
  const real = await project.mdtest(['init'])
  expect(real.stdout).toContain(`created ${name}\n  + import`)
  const run = await project.vitest(['run', '--project', 'mdtest'])
  expect(run.exitCode).toBe(0)
})

test('mdtest init keeps the specs and the ignored logs that are there', async () => {
  await using project = await createProject({
    'package.json': '{ "type": "module", "devDependencies": { "vitest-mdtest": "*" } }',
    'vite.config.js': 'export default { plugins: [] }\n',
    'specs/a.test.md': '---\nagent: none\n---\n\n```sh\ntrue\n```\n',
    '.gitignore': 'dist/\r\n**/*.logs/\r\n',
  })
  const { stdout } = await project.mdtest(['init'])
  expect(stdout).toMatchInlineSnapshot(`
    "changed vite.config.js
      + import { mdtest } from 'vitest-mdtest'
      + export default { plugins: [mdtest()] }

    Run the specs: npx vitest run --project mdtest"
  `)
})

describe('mdtest init in a project with Jest', () => {
  // What reads configurations is Vitest's, which npm installs along.
  const both: Lane = { ...jest, packages: { ...jest.packages, ...lane.packages } }
  const sum = `test('adds', () => expect(1 + 1).toBe(2))\n`

  test.for([
    ['a file', 'jest.config.js', `module.exports = {\n  testEnvironment: 'node',\n}\n`, '{}'],
    ['a module', 'jest.config.mjs', `export default { testEnvironment: 'node' }\n`, '{}'],
    ['no configuration', 'jest.config.js', undefined, '{ "devDependencies": { "jest": "*" } }'],
    ['none, and ES modules', 'jest.config.js', undefined, '{ "type": "module", "devDependencies": { "jest": "*" } }'],
  ] as const)('%s: its tests and the specs run', async ([, name, config, manifest], { skip }) => {
    skip(jest.unavailable !== undefined, jest.unavailable)
    const files = { 'package.json': manifest, 'sum.test.js': sum, ...(config && { [name]: config }) }
    await using project = await createProject(files, both, 'plain')
    const { stdout, stderr } = await project.mdtest(['init'])
    expect([stderr, stdout]).toEqual(['', expect.stringContaining('Run the specs: npx jest --selectProjects mdtest')])
    expect(await readdir(project.dir)).not.toContain('vitest.config.mjs')
    const run = await project.jest([])
    expect([run.exitCode, run.stderr]).toEqual([0, expect.stringMatching(/Tests: +2 passed/)])
    expect((await project.mdtest(['init'])).stdout).toContain('Nothing to do')
  })

  test('its configuration in package.json is left alone, with what to do', async ({ skip }) => {
    skip(jest.unavailable !== undefined, jest.unavailable)
    await using project = await createProject({ 'package.json': '{ "jest": {} }' }, both, 'plain')
    const { exitCode, stderr } = await project.mdtest(['init'])
    expect(stderr).toMatch(
      /key `jest` of `package\.json`[^]*require\('vitest-mdtest\/jest'\)[^]*projects: \['<rootDir>', mdtest\(\)\],/,
    )
    expect(exitCode).toBe(2)
  })
})

test('mdtest init in a folder without package.json makes a spec that `npx vitest-mdtest run` runs', async () => {
  await using project = await createProject({ 'setup.py': '' })
  await project.remove('package.json')
  const { stdout } = await project.mdtest(['init'])
  expect(stdout).toMatch(/^created example\.test\.md/)
  expect(stdout).toMatch(/^Run the specs: npx vitest-mdtest run$/m)
  expect(stdout).not.toMatch(/npm i|config/)
  expect((await project.mdtest(['run'])).exitCode).toBe(0)
})

test('mdtest init in a package of a workspace names the root', async () => {
  const core = `import { defineProject } from 'vitest/config'\nexport default defineProject({ test: { name: 'core' } })\n`
  await using project = await createProject({
    'vitest.config.js': `import { defineConfig } from 'vitest/config'\nexport default defineConfig({ test: { projects: ['packages/*'] } })\n`,
    'packages/core/vitest.config.js': core,
    'packages/core/package.json': '{}',
  })
  const { exitCode, stderr } = await project.mdtest(['init', '-d', 'packages/core'])
  expect(stderr).toContain('npx vitest-mdtest init --dir ../..')
  expect(exitCode).toBe(2)
  const root = await project.mdtest(['init'])
  expect(root.stdout).toContain('changed vitest.config.js')
})

test('mdtest init gives a CommonJS configuration what works there', async () => {
  await using project = await createProject({
    'package.json': '{}',
    'vitest.config.cjs': `const { defineConfig } = require('vitest/config')\nmodule.exports = defineConfig({})\n`,
  })
  expect((await project.mdtest(['init'])).stdout).toContain("+ const { mdtest } = require('vitest-mdtest')")
  expect((await project.vitest(['run', '--project', 'mdtest'])).exitCode).toBe(0)
})

describe('mdtest init that cannot do it', () => {
  const cases: readonly (readonly [title: string, args: readonly string[], message: RegExp])[] = [
    [
      'a configuration of another form',
      [],
      /`init` cannot change `vitest\.config\.js`: .*\n\n {2}import \{ mdtest \}[^]*plugins: \[mdtest\(\)\],/,
    ],
    ['a directory below a configuration', ['-d', 'sub'], /`npx vitest-mdtest init --dir \.\.`/],
    ['a directory that is not there', ['-d', 'nowhere'], /nowhere/],
    ['a path', ['vitest.config.js'], /takes no paths/],
    ['an unknown flag', ['--force'], /--force/],
  ]

  test.for(cases)('%s is a message, exit code 2 and no change', async ([, args, message]) => {
    await using project = await createProject({
      'vitest.config.js': `import base from './base.js'\nexport default { ...base }\n`,
      'sub/a.js': '',
    })
    const before = await contents(project)
    const { exitCode, stdout, stderr } = await project.mdtest(['init', ...args])
    expect(stderr).toMatch(message)
    expect(stdout).toBe('')
    expect(exitCode).toBe(2)
    expect(await contents(project)).toEqual(before)
  })
})

test('the command answers to both of its names', async () => {
  await using project = await createProject({})
  await mkdir(project.path('node_modules/.bin'))
  const { bin } = JSON.parse(await project.read('node_modules/vitest-mdtest/package.json'))
  for (const name of ['mdtest', 'vitest-mdtest']) {
    const link = project.path(`node_modules/.bin/${name}`)
    await symlink(project.path(`node_modules/vitest-mdtest/${bin[name]}`), link)
    const { stdout } = await execa(link, ['init', '--dry-run'], { cwd: project.dir })
    expect(stdout).toContain('would create vitest.config.js')
  }
})

/** Each file of the project by its path, without `node_modules`. */
async function contents(project: Project): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(project.dir, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(project.dir.length + 1))
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, await project.read(file)] as const)))
}
