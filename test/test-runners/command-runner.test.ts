import { expect, test } from 'vitest'
import { findRunnerInCommand } from '../../src/test-runners/runners.ts'

const scripts = {
  test: 'vitest run',
  all: 'npm run test',
  unit: 'jest --coverage',
  node: 'node --test',
  own: 'node --test --test-reporter=dot',
  checked: 'tsc && vitest run',
  vitest: 'echo none',
}

const found = (text: string): readonly [string, string] | undefined => {
  const command = findRunnerInCommand({ text, argv: ['sh', '-c', text], scripts, resultsDir: '/r' })
  return command && [command.runner.name, command.argv.at(-1)?.slice(text.length).split('=')[0] ?? '']
}

test.for([
  ['vitest run', 'vitest', ' --reporter'],
  ['npx vitest run --coverage', 'vitest', ' --reporter'],
  ['CI=1 ./node_modules/.bin/vitest', 'vitest', ' --reporter'],
  ['npm run build && npm test', 'vitest', ' -- --reporter'],
  ['npm test -- --bail', 'vitest', ' --reporter'],
  ['npx vitest-mdtest run', 'mdtest', ' --reporter'],
  ['npx mdtest run specs', 'mdtest', ' --reporter'],
  ['pnpm test', 'vitest', ' --reporter'],
  ['yarn unit', 'jest', ' --testLocationInResults --json --outputFile'],
  ['npm run checked', 'vitest', ' -- --reporter'],
  ['npm run node', 'node', ''],
  ['node --experimental-strip-types --test', 'node', ''],
  ['python3 -m pytest -q', 'pytest', ''],
  ['pytest -q | tee log', 'pytest', ''],
  ['cargo +nightly test', 'cargo', ''],
  ['./gradlew --offline test', 'gradle', ''],
] as const)('%s starts %s', ([text, name, added]) => {
  expect(found(text)).toEqual([name, added])
})

test.for([
  ...['vitest run | tee log', 'vitest run; true', 'npm run all', 'npm run own', 'npm run vitest'],
  ...['vitest run -- a.test.ts', 'vitest list', 'make test', 'echo vitest run'],
])('nothing is added to %s', (text) => {
  expect(found(text)).toBeUndefined()
})
