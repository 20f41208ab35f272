import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { createProject, type Project } from '../support/create-project.ts'

// With Jest and CommonJS: init.slow.test.ts. What becomes of each configuration: test/commands/init.

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
  expect(first.stdout).toMatch(/^changed vitest\.config\.ts\n {2}\+ import \{ mdtest \} from 'vitest-mdtest'\n/)
  expect(first.stdout).toMatch(/^created example\.test\.md\n[^]*^changed \.gitignore\n {2}\+ \*\.logs\/$/m)
  expect(first.stdout).toMatch(/npm i -D vitest-mdtest\nRun the specs: npx vitest run --project mdtest$/)
  expect(first.exitCode).toBe(0)
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

test('mdtest init whose reader ends early does its work, and says nothing of the pipe', async () => {
  await using project = await createProject({ 'unit.test.ts': unit })
  const bin = join(project.dir, 'node_modules/vitest-mdtest/dist/bin.js')
  const script = '{ "$0" "$1" init; echo "exit $?" >&2; } | true'
  const { stderr } = await execa('bash', ['-c', script, process.execPath, bin], { cwd: project.dir })
  expect(stderr).toBe('exit 0')
  expect(await project.read('.gitignore')).toContain('*.logs/')
})

test('a plugin that is not called is told', async () => {
  await using project = await createProject({
    'vitest.config.mjs': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest] }\n`,
    'unit.test.ts': unit,
  })
  const { exitCode, stderr } = await project.vitest(['run'])
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('`plugins: [mdtest]` lacks the call.')])
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

test('mdtest init that cannot do it is a message, exit code 2 and no change', async () => {
  await using project = await createProject({
    'vitest.config.js': `import base from './base.js'\nexport default { ...base }\n`,
    'sub/a.js': '',
  })
  const before = await contents(project)
  const asked: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [[], /`init` cannot change `vitest\.config\.js`: .*\n\n {2}import \{ mdtest \}[^]*plugins: \[mdtest\(\)\],/],
    [['-d', 'sub'], /`npx vitest-mdtest init --dir \.\.`/],
    [['-d', 'nowhere'], /nowhere/],
  ]
  for (const [args, message] of asked) {
    const { exitCode, stdout, stderr } = await project.mdtest(['init', ...args])
    expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)])
  }
  expect(await contents(project)).toEqual(before)
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
