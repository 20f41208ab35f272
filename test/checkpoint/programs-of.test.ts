import { expect, test } from 'vitest'
import { programsOf, withScripts } from '../../src/checkpoint/programs-of.ts'

test.each([
  ['sh ./check.sh src/a.ts', ['sh', 'check.sh']],
  ['CI=1 ./check.sh --all', ['CI=1', 'check.sh']],
  ['npm ci && node scripts/test.mjs | tee log', ['npm', 'node', 'scripts/test.mjs', 'tee']],
  ['tsc -p . src/a.ts', ['tsc']],
  ['node --check src/a.ts', ['node', '--check']],
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
