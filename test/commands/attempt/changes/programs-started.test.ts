import { expect, test } from 'vitest'
import { allProgramsOf, programsOf, withScripts } from '../../../../src/commands/attempt/changes/programs-started.ts'

test.each([
  ['sh ./check.sh src/a.ts', ['sh', 'check.sh']],
  ['CI=1 ./check.sh --all', ['check.sh']],
  ['npm ci && node scripts/test.mjs | tee log', ['npm', 'node', 'scripts/test.mjs', 'tee']],
  ['tsc -p . src/a.ts', ['tsc']],
  ['node --check src/a.ts', ['node']],
  ['node --test code.mjs', ['node']],
  ['bash -eu check.sh', ['bash', 'check.sh']],
  ["sh -c './check.sh && ./more.sh'", ['sh', 'check.sh', 'more.sh']],
  ['timeout 60 ./check.sh', ['check.sh']],
  ['if ! env -i ./check.sh; then exit 1; fi', ['check.sh', 'exit', 'fi']],
  ['cd tools && python3 -u check.py src/a.py', ['python3', 'tools/check.py']],
  ['python -m tools.check', ['python', 'tools/check.py', 'tools/check/__main__.py']],
  ['node --import ./hook.mjs --test-reporter=spec all.mjs', ['node', 'hook.mjs', 'all.mjs']],
  ['npx tsx scripts/all.ts', ['tsx', 'scripts/all.ts']],
  [`test "$(node -e "import('./sum.mjs')")" = 3`, ['test', 'node', '=']],
  [`node -e "require('./check.cjs')"`, ['node', 'check.cjs']],
  [`node -e "spawnSync('./grade')"`, ['node', 'grade']],
  ['#!/bin/sh\n# ./not.sh\nout=$(./check.sh 2>&1)\n. ./lib.sh', ['check.sh', '.', 'lib.sh']],
])('the programs of `%s`', (command, programs) => {
  expect(programsOf(command)).toEqual(programs)
})

test('a command stands for the scripts that it starts', () => {
  const scripts = {
    test: 'npm run unit && x',
    pretest: 'node before.mjs',
    unit: 'node unit.mjs',
    start: 'node app.mjs',
  }
  const manifest = JSON.stringify({ scripts })
  const all = ['npm test', 'npm run unit && x', 'node before.mjs', 'node unit.mjs']
  expect(withScripts(['npm test'], manifest)).toEqual(all)
  expect(withScripts(['make'], manifest)).toEqual(['make'])
  expect(withScripts(['npm test'], undefined)).toEqual(['npm test'])
  expect(withScripts(['npm test'], '[')).toEqual(['npm test'])
})

test('what a shell script starts is among them, what other programs do is not known', async () => {
  const files: Record<string, string> = {
    'check.sh': './lib/run && node all.mjs',
    'lib/run': '#!/usr/bin/env bash\n. lib/more.sh\n./check.sh',
    'all.mjs': './not.sh',
  }
  const found = await allProgramsOf(['sh check.sh'], (path) => Promise.resolve(files[path]))
  expect([...found]).toEqual(['sh', 'check.sh', 'lib/run', 'node', 'all.mjs', '.', 'lib/more.sh'])
})
