import { symlink } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { commitAll } from '../support/git-project.ts'

type Files = Readonly<Record<string, string>>
/** The spec's body, its files, and the change that turns its outcome. Paths are relative to the spec, or to `/`. */
type Case = readonly [body: string, files: Files, change: Files]

const shell = (code: string): string => `\`\`\`sh verify\n${code}\n\`\`\`\n`
const code = (text: string): string => `\`\`\`ts verify\n${text}\n\`\`\`\n`
const isOne = (file: string): string => `if (require('fs').readFileSync('${file}', 'utf8') !== '1') process.exit(1)`
const starting = (call: string): string => `require('child_process').${call}`
const worker = (options: string): Files => ({
  'a.cjs': `const { Worker } = require('worker_threads')\nnew Worker('./T/b.cjs', ${options}).on('exit', process.exit)`,
  'b.cjs': isOne('T/d'),
})
/** A spec whose product reads the file `d`, which the change makes another one. */
const reading = (body: string, files: Files = {}): Case => [body, { d: '1', ...files }, { d: '2' }]
const created = (body: string, files: Files = {}, file = 'flag'): Case => [body, files, { [file]: '' }]

/** `T` stands for the name of the spec and of its folder. */
const cases: Readonly<Record<string, Case>> = {
  stream: reading(shell('node T/a.mjs | grep 1'), {
    'a.mjs': "import fs from 'fs'\nfs.createReadStream('T/d').pipe(process.stdout)",
  }),
  worker: reading(shell('node T/a.cjs'), worker('{ execArgv: [] }')),
  'worker-env': reading(shell('node T/a.cjs'), worker('{ env: {} }')),
  grandchild: reading(shell('node T/a.cjs'), {
    'a.cjs': starting("execFileSync(process.execPath, ['T/b.cjs'])"),
    'b.cjs': starting("execSync('node T/c.cjs')"),
    'c.cjs': isOne('T/d'),
  }),
  'child-env': reading(shell('node T/a.cjs'), {
    'a.cjs': starting("execSync('node T/b.cjs', { env: { PATH: process.env.PATH } })"),
    'b.cjs': isOne('T/d'),
  }),
  unset: reading(shell('node T/a.cjs; unset NODE_OPTIONS; node T/b.cjs'), { 'a.cjs': '', 'b.cjs': isOne('T/d') }),
  killed: reading(shell('node T/a.cjs >"$TMPDIR/o" || true; grep 1 "$TMPDIR/o"'), {
    'a.cjs': "console.log(require('fs').readFileSync('T/d', 'utf8')); process.kill(process.pid, 'SIGKILL')",
  }),
  'npm-run': reading(shell('cd T && npm run -s show'), {
    'package.json': '{ "scripts": { "show": "node b.cjs && grep 1 d" } }',
    'b.cjs': '',
  }),
  resolved: created(
    shell('! node T/a.cjs'),
    { 'a.cjs': "if (require('./b') === 1) process.exit(1)", 'b/index.js': 'module.exports = 1' },
    'b.js',
  ),
  optional: created(shell('node T/a.cjs'), {
    'a.cjs': "try { require('./flag'); process.exitCode = 1 } catch {}",
  }),
  hardlink: reading(shell('node T/a.cjs'), {
    'a.cjs': `require('fs').linkSync('T/d', process.env.TMPDIR + '/e')\n${isOne("' + process.env.TMPDIR + '/e")}`,
  }),
  workspace: [shell('node T/a.cjs'), { 'a.cjs': isOne('node_modules/lib/data') }, { '/lib/data': '2' }],
  outside: [shell('node T/a.cjs'), { 'a.cjs': isOne('../lib/data') }, { '/lib/data': '2' }],
  'outside-cat': [shell('cat ../lib/data | grep 1'), {}, { '/lib/data': '2' }],
  'test-e': created(shell('! test -e T/flag && [ ! -f T/flag ]')),
  'double-bracket': created(shell('[[ ! -e T/flag ]]')),
  'echo-glob': created(shell('[ "$(echo T/*.txt)" = T/a.txt ]'), { 'a.txt': '' }, 'b.txt'),
  'for-glob': created(shell('[ "$(for f in T/*.txt; do echo x; done)" = x ]'), { 'a.txt': '' }, 'b.txt'),
  'array-glob': created(shell('a=(T/*.txt); [ ${#a[@]} = 1 ]'), { 'a.txt': '' }, 'b.txt'),
  listed: reading(shell('[ "$(wc -c --files0-from=T/list)" = "1 T/d" ]; grep 1 T/d'), { list: 'T/d' }),
  recursive: reading(shell('cd T && grep -rqx 1')),
  substituted: reading(shell('case "$(<T/d)" in 1) true;; *) false;; esac')),
  sourced: reading(shell('bash T/a.sh'), { 'a.sh': '. T/b.sh\n', 'b.sh': 'grep 1 T/d\n' }),
  make: reading(shell('make -s -C T'), { Makefile: 'all:\n\tgrep 1 d\n' }),
  'env-file': [
    shell('node --env-file=T/.env T/a.cjs'),
    { 'a.cjs': 'process.exit(process.env.N)', '.env': 'N=0' },
    { '.env': 'N=1' },
  ],
  glob: created(
    code("if (Object.keys(import.meta.glob('./*.mjs')).length > 1) throw new Error()"),
    { 'a.mjs': '' },
    'b.mjs',
  ),
  package: reading(code("import { read } from 'reader'\nif (read('T/d') !== '1') throw new Error()")),
  computed: [
    code('const { n } = await import(process.cwd() + "/T/a.mjs")\nif (n > 1) throw new Error()'),
    { 'a.mjs': 'export const n = 1' },
    { 'a.mjs': 'export const n = 2' },
  ],
  builtin: reading(code("if (`${process.getBuiltinModule('fs').readFileSync('T/d')}` !== '1') throw new Error()")),
}

test('a change turns the outcome of each spec at once: none of them is left out, and no other spec runs', async () => {
  await using project = await createProject({ 'vitest.config.mjs': plainConfig })
  const put = async (name: string, files: Files): Promise<void> => {
    for (const [file, text] of Object.entries(files))
      await project.write(file.startsWith('/') ? `..${file}` : `${name}/${file}`, text.replaceAll(/\bT\b/g, name))
  }
  await put('', { '/lib/data': '1', '/.gitignore': 'node_modules\n.vitest\n' })
  await symlink('../../lib', project.path('node_modules/lib'))
  await put('node_modules/reader', {
    'package.json': '{ "name": "reader", "exports": "./i.mjs" }',
    'i.mjs': "import fs from 'fs'\nexport const read = (file) => fs.readFileSync(file, 'utf8')",
  })
  for (const [name, [body, files]] of Object.entries(cases)) {
    const spec = `---\nagent: none\n---\n\n# T\n\n## It\n\n${body}`
    await put(name, { ...files, 'it.test.md': spec, 'same/it.test.md': spec.replace(body, shell('cat T/same/x')) })
    await put(`${name}/same`, { x: '' })
  }
  commitAll({ dir: project.path('..') })
  const run = async (state: string): Promise<readonly string[]> => {
    const { stdout } = await project.vitest(['run', '--reporter=json'])
    const { testResults }: { testResults: { name: string; status: string }[] } = JSON.parse(stdout)
    return testResults.flatMap(({ name, status }) => (status === state ? name.slice(project.dir.length + 1) : []))
  }
  expect(await run('failed')).toEqual([])
  for (const [name, [, , change]] of Object.entries(cases)) await put(name, change)
  const { stdout } = await project.vitest(['list', '--filesOnly', '--json', '--changed'])
  const listed: { file: string }[] = JSON.parse(stdout.slice(stdout.indexOf('[')))
  const specs = Object.keys(cases).map((name) => `${name}/it.test.md`)
  expect(listed.map(({ file }) => file.slice(project.dir.length + 1)).toSorted()).toEqual(specs.toSorted())
  expect((await run('failed')).toSorted()).toEqual(specs.toSorted())
}, 300_000)
