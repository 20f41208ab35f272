import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createProject, plainConfig, type Project } from '../support/create-project.ts'
import { commitAll, gitIn } from '../support/git-project.ts'
import { jest, lane, type Lane } from '../support/lane.ts'
import { programsFolder } from '../support/programs-folder.ts'
import { startWatch, hasTerminal, watchFiles } from '../support/watch-session.ts'
import { spawnCommand } from '../support/spawn-command.ts'

/** A Claude Code that does nothing but say that all is well. */
const claude = `#!${process.execPath}
import { writeFileSync } from 'node:fs'
const [log] = /^Result log: (.*)$/m.exec(process.argv.at(-1))?.slice(1) ?? []
const run = /[0-9a-f]{32}/.exec(process.argv.at(-1))?.[0]
const say = (line) => console.log(JSON.stringify(line))
say({ type: 'system', subtype: 'init', session_id: '0', model: 'model-1' })
say({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }] } })
say({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'a mug' }] } })
if (log) writeFileSync(log, '---\\nstatus: pass\\nrun: ' + run + '\\n---\\n\\nDone.\\n')
say({ type: 'result', subtype: 'success', is_error: false, result: '{}', num_turns: 1, usage: { input_tokens: 1, output_tokens: 1 } })
`

const specs = {
  'docs/shop.test.md': '# Shop\n\nPut a mug into the cart.\n',
  'copied.test.md': '---\ncwd: copy\n---\n\n# Copied\n\nPut a mug into the cart of the copy.\n',
  'sums.test.md': '---\nagent: none\n---\n\n# Sums\n\n```console\n$ echo $((1 + 1))\n2\n```\n',
  'module.test.md': '---\nagent: none\n---\n\n# Module\n\n```ts\nexpect(2).toBe(2)\n```\n',
  'red.test.md': '---\nagent: none\ncwd: temp\n---\n\n# Red\n\n```sh\necho mug > cart; sleep 60 & exit 1\n```\n',
}
const gates = { 'mdtest.config.json': JSON.stringify({ commands: { lint: 'true', test: 'false' }, agent: 'claude' }) }

describe('what stays behind is nothing that git would take', () => {
  test('in a project with Vitest, also after a watch', async () => {
    await using project = await createIsolated(
      {
        ...watchFiles,
        ...specs,
        ...gates,
        '.gitignore': 'node_modules\n',
        'vitest.config.ts': plainConfig.replace('mdtest()', "mdtest({ executor: 'agent', minAssurance: 'observed' })"),
        'sum.test.ts': "import { expect, test } from 'vitest'\ntest('adds', () => expect(1 + 1).toBe(2))\n",
      },
      lane,
    )
    commitAll(project)
    const { vitest, mdtest } = project
    expect((await vitest(['run'], options(project))).all).toContain('1 failed | 5 passed')
    for (const args of commands) await mdtest(args, options(project))
    await mdtest(['fix', '--scope', 'sum.test.ts', '--runner', 'vitest'], options(project))
    if (hasTerminal()) {
      await using watch = await startWatch(project)
      await watch.runAfter(() => project.write('sums.test.md', specs['sums.test.md']))
    }
    await expectNothingNew(project)
  })

  test('in a folder without package.json, which gets no node_modules', async () => {
    await using project = await createIsolated({ ...specs, ...gates, 'shop.py': 'cart = []\n' }, lane)
    await project.remove('package.json')
    await rm(project.path('node_modules'), { recursive: true })
    commitAll(project)
    const bin = join(lane.packages['vitest-mdtest'] ?? '', 'dist/bin.js')
    const { env } = options(project)
    for (const args of [
      ['run', '--headless', '--report'],
      ['gate', '--agent', 'none'],
    ]) {
      await spawnCommand({ argv: [lane.node, bin, ...args], cwd: project.dir, env }, 250_000)
    }
    await expectNothingNew(project)
    const names = await readdir(project.dir)
    expect(names.filter((name) => !name.startsWith('.git')).toSorted()).toEqual(
      ['.mdtest', 'copied.logs', 'docs', 'mdtest-report', 'shop.py', ...Object.keys({ ...specs, ...gates })]
        .filter((name) => !name.includes('/'))
        .toSorted(),
    )
  })

  test.skipIf(jest.unavailable !== undefined)('in a project with Jest', async () => {
    const config =
      "import { mdtest } from 'vitest-mdtest/jest'\nexport default mdtest({ executor: 'agent', minAssurance: 'observed' })\n"
    const { 'module.test.md': _, ...own } = specs
    await using project = await createIsolated(
      { ...own, '.gitignore': 'node_modules\n', 'jest.config.js': config },
      jest,
    )
    commitAll(project)
    const { all } = await project.jest([], options(project))
    expect(all).toMatch(/1 failed, 3 passed, 4 total/)
    await expectNothingNew(project)
  })
})

const commands: readonly (readonly string[])[] = [
  ['run', '--headless'],
  ['run', '--headless', '--report', '-u'],
  ['list'],
  ['show'],
  ['docs'],
  ['gate', '--agent', 'claude', '--fix-attempts', '1'],
  ['gate', '--json', '--agent', 'none'],
  ['sessions'],
]

/** Beside the project lie the home and the folder for temporary files of whatever runs in it. */
async function createIsolated(files: Readonly<Record<string, string>>, on: Lane): Promise<Project> {
  const project = await createProject(files, on)
  for (const name of ['home', 'tmp', 'bin']) await mkdir(project.path(`../${name}`))
  await writeFile(project.path('../bin/claude'), claude)
  await writeFile(project.path('../bin/package.json'), '{ "type": "module" }')
  await chmod(project.path('../bin/claude'), 0o755)
  return project
}

function options(project: Project): { readonly env: Readonly<Record<string, string>> } {
  const path = (name: string): string => join(project.dir, '..', name)
  return {
    env: {
      PATH: [path('bin'), programsFolder, process.env.PATH].join(':'),
      HOME: path('home'),
      TMPDIR: path('tmp'),
      NO_COLOR: '1',
    },
  }
}

async function expectNothingNew(project: Project): Promise<void> {
  expect(gitIn(project, 'status', '--porcelain', '--untracked-files=all')).toBe('')
  // Vitest 5 keeps a token in the home; Jest and Node.js keep caches of their own among temporary files.
  const home = await readdir(project.path('../home'), { recursive: true, withFileTypes: true })
  expect(home.filter((entry) => entry.isFile() && !/vitest/.test(entry.parentPath))).toEqual([])
  const temporary = await readdir(project.path('../tmp'))
  expect(temporary.filter((name) => !/^(?:jest|node-compile-cache)/.test(name))).toEqual([])
}
