import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { traceReads } from '../../src/blocks/shell/trace-reads.ts'
import { lane } from '../support/lane.ts'

const programs = {
  'crash.cjs': "require('node:fs').readFileSync('nope.txt')\n",
  'crash.mjs': "import { statSync } from 'node:fs'\nstatSync('nope.txt')\n",
  'caught.cjs':
    "process.on('uncaughtException', (error) => console.log(error.stack))\nrequire('node:fs').openSync('nope.txt')\n",
  'throw.mjs': "throw new Error('mine')\n",
  'both.mjs':
    "import './dep.mjs'\nimport './dep.cjs'\nimport { readFile } from 'node:fs/promises'\nconsole.log(String(await readFile('data.json')), process.execArgv, process.exitCode)\n",
  'dep.mjs': "await import('./late.mjs')\n",
  'late.mjs': '',
  'dep.cjs': "require('./deep')\n",
  'deep.js': '',
  'data.json': '1\n',
  'list.cjs': "const fs = require('fs')\nconsole.log(fs.existsSync('gone.txt'), fs.readdirSync('folder'))\n",
  'folder/a.txt': '',
  'start.mjs':
    "import { execSync, fork, spawnSync } from 'node:child_process'\nimport { Worker } from 'node:worker_threads'\nexecSync('cat data.json')\nspawnSync('node', ['late.mjs'], { env: {} })\nfork('list.cjs', { silent: true })\nnew Worker('./dep.mjs')\n",
  'hooks.mjs': "import { register } from 'node:module'\nregister('data:text/javascript,')\n",
  'warn.cjs': "process.binding('fs')\nnew Buffer('a')\n",
}

/** What a program notes; all that can be seen of it is as without. */
function trace(args: readonly string[], options = ''): readonly object[] {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-trace "a b" ')))
  onTestFinished(() => rmSync(base, { recursive: true }))
  const cwd = join(base, 'root')
  mkdirSync(join(cwd, 'folder'), { recursive: true })
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(cwd, name), text)
  const tracing = traceReads(base, { root: cwd, copy: undefined })
  const run = (given: string): unknown => {
    const { stdout, stderr, status } = spawnSync(lane.node, args, {
      ...{ cwd, encoding: 'utf8', env: { PATH: process.env.PATH, NODE_OPTIONS: given } },
    })
    return [status, stdout, stderr.replaceAll(/\(node:\d+\)/g, '(node)')]
  }
  expect(run(tracing.options(options))).toEqual(run(options))
  const lines = tracing
    .read()
    .replaceAll(`${JSON.stringify(cwd).slice(1, -1)}/`, '')
    .split('\n')
    .filter(Boolean)
  return lines.map((line): object => JSON.parse(line))
}

test.for([
  [['crash.cjs'], '', { path: 'nope.txt', isList: false }],
  [['crash.mjs'], '--stack-trace-limit=2', { path: 'nope.txt', isList: false }],
  [['caught.cjs'], '', { path: 'nope.txt', isList: false }],
  [['throw.mjs'], '', { path: 'throw.mjs', isList: false }],
  [['warn.cjs'], '--pending-deprecation', { script: 'warn.cjs' }],
  [['both.mjs'], '--no-warnings', ['both.mjs', 'dep.mjs', 'late.mjs', 'dep.cjs', 'deep.js', 'data.json']],
  [
    ['list.cjs'],
    '',
    [
      { path: 'folder', isList: true },
      { path: 'gone.txt', isList: false },
    ],
  ],
  [['hooks.mjs'], '', { unseen: 'a program loads modules in its own way' }],
  [
    ['start.mjs'],
    '',
    [
      { argv: ['/bin/sh', '-c', 'cat data.json'], cwd: expect.any(String), isTraced: true },
      { argv: ['node', 'late.mjs'], cwd: expect.any(String), isTraced: false },
      { script: 'list.cjs' },
      { path: 'late.mjs', isList: false },
    ],
  ],
] as const)('%j with options %j shows nothing, and its trace has %j', ([args, options, expected]) => {
  const noted = trace(args, options)
  const wanted = [expected].flat().map((each) => (typeof each === 'string' ? { path: each, isList: false } : each))
  expect(noted).toEqual(expect.arrayContaining(wanted))
})
