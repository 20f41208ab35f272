import { describe, expect, test } from 'vitest'
import { linkVitest, rightSum, wrongSum } from '../support/fix-project.ts'
import { createGateProject } from '../support/gate-project.ts'
import { hostileViteName } from '../support/hostile-name.ts'
import { missingProgram } from '../support/runner-project.ts'

const nodeTests = `import assert from 'node:assert/strict'
import test from 'node:test'
import { sum, twice } from './sum.mjs'
test('adds', () => assert.equal(sum(2, 3), 5))
test('doubles', () => assert.equal(twice(2), 4))
`

interface Judged {
  /** The test gate. */
  readonly gate: unknown
  readonly files?: Readonly<Record<string, string>>
  /** What the agent writes. */
  readonly write: Readonly<Record<string, string>>
  readonly isVitest?: boolean
}

/** Runs the gates with an agent that writes this. */
async function judge({ gate, files = {}, write, isVitest }: Judged): Promise<readonly [number | null, string, string]> {
  using project = createGateProject(
    {
      'mdtest.config.json': JSON.stringify({ commands: { test: gate }, agent: { command: ['node', '../agent.mjs'] } }),
      'sum.mjs': wrongSum,
      'sum.test.mjs': nodeTests,
      ...files,
    },
    isVitest === true ? hostileViteName : undefined,
  )
  if (isVitest === true) linkVitest(project.path)
  project.write(
    '../agent.mjs',
    `import { writeFileSync } from 'node:fs'
for (const [path, text] of Object.entries(${JSON.stringify(write)})) writeFileSync(path, text)
console.log('{ "fix_applied": "Fixed." }')
`,
  )
  const { exitCode, test: tests } = await project.evidence('--fix-attempts', '1', '--no-execution-log')
  const [attempt] = tests?.fix_attempts ?? []
  return [exitCode, attempt?.result ?? '', attempt?.fix_applied ?? '']
}

/** As many tests as before, with other names, and the end of the process before those of the file. */
const replacing = `import test from 'node:test'
for (const name of ['a', 'b']) test(name, () => {})
setTimeout(() => process.exit(0), 300)
await new Promise(() => {})
${wrongSum}`

const scripts = (script: string): Record<string, string> => ({
  'package.json': JSON.stringify({ type: 'module', scripts: { test: script, all: 'npm run test' } }),
})

const isGone = expect.stringMatching(/^(?:Of 2 tests only|Tests that were executed before).*all was undone/)

describe.concurrent('an attempt that replaces tests is undone', () => {
  test.for([
    ['npm run --silent all', scripts('node --test')],
    [{ runner: 'node' }, {}],
    ['make check', { Makefile: 'check:\n\tnode --test --test-reporter=spec\n' }],
  ] as const)('behind %j', async ([gate, files], { expect: expectHere }) => {
    expectHere(await judge({ gate, files, write: { 'sum.mjs': replacing } })).toEqual([
      1,
      'rejected',
      expect.any(String),
    ])
    expectHere((await judge({ gate, files, write: { 'sum.mjs': rightSum } }))[0]).toBe(gate === 'make check' ? 1 : 0)
  })

  test('in Vitest, where the product skips one and adds another', async ({ expect: expectHere }) => {
    const files = {
      ...scripts('vitest run'),
      'sum.test.mjs': nodeTests.replace(
        "import assert from 'node:assert/strict'\nimport test from 'node:test'",
        "import { assert, test } from 'vitest'",
      ),
      'vitest.config.mjs': 'export default { root: import.meta.dirname }\n',
    }
    const write = {
      'sum.mjs': `import { beforeEach, test } from 'vitest'
beforeEach(({ task, skip }) => skip(task.name === 'adds', 'not now'))
test('adds up', () => {})
${wrongSum}`,
    }
    const gate = 'npx vitest run'
    expectHere(await judge({ gate, files, write, isVitest: true })).toEqual([1, 'rejected', isGone])
    expectHere((await judge({ gate, files, write: { 'sum.mjs': rightSum }, isVitest: true }))[0]).toBe(0)
  })

  test.skipIf(missingProgram('go'))('in Go, where a new test ends the process', async ({ expect: expectHere }) => {
    const files = {
      'go.mod': 'module example.org/sum\n\ngo 1.20\n',
      'sum.go': 'package sum\n\nfunc Sum(a, b int) int { return a - b }\n',
      'sum_test.go': `package sum

import "testing"

func TestAdds(t *testing.T) {
	if Sum(2, 3) != 5 {
		t.Fatal("wrong")
	}
}

func TestNone(t *testing.T) {}
`,
    }
    const ends = (code: string): string => `package sum\n\nimport "syscall"\n\n${code}`
    const write = { 'sum.go': ends('func Sum(a, b int) int {\n\tsyscall.Exit(0)\n\treturn 0\n}\n') }
    expectHere(await judge({ gate: 'go test ./...', files, write })).toEqual([1, 'rejected', expect.any(String)])
    const fixed = { 'sum.go': (files['sum.go'] ?? '').replace('a - b', 'a + b') }
    expectHere(await judge({ gate: 'go test ./...', files, write: fixed })).toEqual([0, 'pass', expect.any(String)])
  })
})

describe.concurrent('exit code 0 of a command that names no tests', () => {
  const lie = { 'sum.mjs': `${wrongSum}process.exit(0)\n` }
  const files = {
    'check.mjs': "import { sum } from './sum.mjs'\nif (sum(2, 3) !== 5) process.exit(1)\n",
    'report.mjs': `import { writeFileSync } from 'node:fs'
import { sum } from './sum.mjs'
const isRight = sum(2, 3) === 5
writeFileSync('report.xml', '<testsuite><testcase classname="sum" name="adds">' + (isRight ? '' : '<failure/>') + '</testcase></testsuite>')
process.exitCode = isRight ? 0 : 1
`,
  }
  test('is red after an attempt, with a way out', async ({ expect: expectHere }) => {
    const [exitCode, result, why] = await judge({ gate: 'node check.mjs', files, write: lie })
    expectHere([exitCode, result]).toEqual([1, 'rejected'])
    expectHere(why).toContain('"runner"')
  })
  test('decides where the configuration says so, and a report names them, too', async ({ expect: expectHere }) => {
    const write = { 'sum.mjs': rightSum }
    expectHere((await judge({ gate: { command: 'node check.mjs', names: false }, files, write }))[0]).toBe(0)
    const reported = { command: 'node report.mjs', junit: 'report.xml' }
    expectHere((await judge({ gate: reported, files, write }))[0]).toBe(0)
    expectHere(await judge({ gate: reported, files, write: lie })).toEqual([1, 'rejected', expect.any(String)])
  })
})
