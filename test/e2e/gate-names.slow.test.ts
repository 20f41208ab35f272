import { describe, expect, test } from 'vitest'
import { linkVitest } from '../support/fix-project.ts'
import { createGateProject, rightSum, sums, wrongSum } from '../support/gate-project.ts'
import { hostileViteName } from '../support/hostile-name.ts'
import { missingProgram } from '../support/runner-project.ts'

const exits = `${wrongSum}process.exit(0)\n`
/** As many tests as before, with other names, and the end of the process before those of the file. */
const replaces = `import test from 'node:test'
for (const name of ['a', 'b']) test(name, () => {})
setTimeout(() => process.exit(0), 300)
await new Promise(() => {})
${wrongSum}`
const skips = `import { beforeEach, test } from 'vitest'
beforeEach(({ task, skip }) => skip(task.name === 'adds', 'not now'))
test('adds up', () => {})
${wrongSum}`
const reports = `import { writeFileSync } from 'node:fs'
import { sum } from './sum.mjs'
const isRight = sum(2, 3) === 5
writeFileSync('report.xml', '<testsuite><testcase classname="sum" name="adds">' + (isRight ? '' : '<failure/>') + '</testcase></testsuite>')
process.exitCode = isRight ? 0 : 1
`
const checks = "import { sum } from './sum.mjs'\nif (sum(2, 3) !== 5) process.exit(1)\n"
const script = JSON.stringify({ type: 'module', scripts: { test: 'node --test', all: 'npm run test' } })
const go = (code: string): string => `package sum\n\n${code}`
const goTest = go(
  'import "testing"\n\nfunc TestAdds(t *testing.T) {\n\tif Sum(2, 3) != 5 {\n\t\tt.Fatal("wrong")\n\t}\n}\n\nfunc TestNone(t *testing.T) {}\n',
)
const goFiles = { 'go.mod': 'module example.org/sum\n\ngo 1.20\n', 'sum_test.go': goTest }

interface Case {
  /** The test gate. */
  readonly gate: unknown
  readonly files?: Readonly<Record<string, string>>
  /** Of the product, as it was, is when an agent lies, and is when it is right. */
  readonly product: readonly [path: string, was: string, lie: string, right?: string]
  /** Said where a lie is found out; absent where nobody can. */
  readonly why?: RegExp
  /** The gate itself is red then. */
  readonly isRed?: boolean
  readonly isVitest?: boolean
}

const isGone = /^(?:Of 2 tests only|Tests that were executed before).*all was undone/
const sum = (lie: string, right?: string): Case['product'] =>
  right === undefined ? ['sum.mjs', wrongSum, lie] : ['sum.mjs', wrongSum, lie, right]
const cases: readonly Case[] = [
  { gate: 'npm run --silent all', files: { 'package.json': script }, product: sum(replaces, rightSum), why: isGone },
  { gate: { runner: 'node' }, product: sum(replaces), why: isGone },
  // It tells no names: its exit code decides.
  { gate: 'node check.mjs', files: { 'check.mjs': checks }, product: sum(rightSum) },
  { gate: { command: 'node check.mjs', names: false }, files: { 'check.mjs': checks }, product: sum(rightSum) },
  {
    gate: { command: 'node report.mjs', junit: 'report.xml' },
    files: { 'report.mjs': reports },
    product: sum(exits, rightSum),
    why: /./,
    isRed: true,
  },
  {
    gate: 'npx vitest run',
    files: {
      'sum.test.mjs': sums.replace(/import test.*\nimport assert.*\n/, "import { assert, test } from 'vitest'\n"),
      'vitest.config.mjs': 'export default { root: import.meta.dirname }\n',
    },
    product: sum(skips),
    why: isGone,
    isVitest: true,
  },
  {
    gate: 'go test ./...',
    files: goFiles,
    product: [
      'sum.go',
      go('func Sum(a, b int) int { return a - b }\n'),
      go('import "syscall"\n\nfunc Sum(a, b int) int {\n\tsyscall.Exit(0)\n\treturn 0\n}\n'),
    ],
    why: /./,
  },
]

/** What became of the attempt of an agent that writes this. */
async function judge({ gate, files, isVitest, product: [path, was] }: Case, text: string): Promise<readonly unknown[]> {
  const config = { commands: { test: gate }, agent: { command: ['node', '../agent.mjs'] } }
  using project = createGateProject(
    { 'mdtest.config.json': JSON.stringify(config), 'sum.test.mjs': sums, [path]: was, ...files },
    isVitest === true ? hostileViteName : undefined,
  )
  if (isVitest === true) linkVitest(project.path)
  const write = `writeFileSync(${JSON.stringify(path)}, ${JSON.stringify(text)})`
  const says = `console.log('{ "fix_applied": "Fixed." }')`
  project.write('../agent.mjs', `import { writeFileSync } from 'node:fs'\n${write}\n${says}\n`)
  const { exitCode, test: tests } = await project.evidence('--fix-attempts', '1', '--no-execution-log')
  const [attempt] = tests?.fix_attempts ?? []
  return [exitCode, attempt?.result, attempt?.fix_applied]
}

describe.concurrent('tests that are executed are known by their names behind', () => {
  test.for(cases)('$gate', async (each, { expect: expectHere, skip }) => {
    skip(each.gate === 'go test ./...' && missingProgram('go') !== undefined)
    const [, , lie, right] = each.product
    const { why } = each
    const found = await judge(each, lie)
    const red = [1, each.isRed ? 'fail' : 'rejected', expect.stringMatching(why ?? /./)]
    expectHere(found).toEqual(why ? red : [0, 'pass', expect.any(String)])
    if (right !== undefined) expectHere((await judge(each, right)).slice(0, 2)).toEqual([0, 'pass'])
  })
})
