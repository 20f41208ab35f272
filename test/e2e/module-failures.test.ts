import { describe, expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'

interface Failure {
  /** The block, from its fence on; the line that has to be named ends with `// here`, else it is the fence. */
  readonly block: string
  readonly message: string | RegExp
}

const ts = (code: string, words = ''): string => `\`\`\`ts${words}\n${code}\n\`\`\``

const failures: Readonly<Record<string, Failure>> = {
  assertion: {
    block: ts(`
interface Order { id: number; at: string }
const order: Order = { id: 1, at: 'noon' }

expect(order).toEqual({ id: 2, at: expect.any(String) }) // here
expect(0).toBe(1)`),
    message: `RUN_FAILED: expected { id: 1, at: 'noon' } to deeply equal { id: 2, at: Any<String> } (- expected, + actual):
  {
-   "at": Any<String>,
-   "id": 2,
+   "at": "noon",
+   "id": 1,
  }`,
  },
  'soft assertions': {
    block: ts(`
expect.soft(1).toBe(1)
expect.soft('a\\nb').toBe('a\\nc') // here
expect.soft(1).toBe(2)
throw new TypeError('and then this')`),
    message:
      /^RUN_FAILED: Line \d+: expected .*\n {2}a\n- c\n\+ b\n\nLine \d+: expected 1 to be 2.*\n- 2\n\+ 1\n\nLine \d+: TypeError: and then this$/,
  },
  verify: {
    block: ts(`expect.fail('no') // here`, ' verify'),
    message: 'VERIFY_FAILED: no',
  },
  helper: {
    block: ts(`
import { check } from './lib/check.ts'
check({ id: 1 }) // here`),
    message: 'RUN_FAILED: RangeError: id 1 is too small\n(thrown at lib/check.ts:5:41)',
  },
  causes: {
    block: ts(`throw new Error('outer', { cause: new TypeError('inner') }) // here`),
    message: 'RUN_FAILED: outer\nCaused by: TypeError: inner',
  },
  'no error': { block: ts(`throw { a: 'b' }`), message: "RUN_FAILED: { a: 'b' } was thrown, which is no error." },
  syntax: {
    block: ts(`
const a: number = 1
const b = = 2 // here`),
    message: /Unexpected token[^]*syntax\.test\.md:\d+:11/,
  },
  'js syntax': { block: '```js\nconst a = 1\nconst b = = 2 // here\n```', message: /Unexpected token/ },
  'missing file': {
    block: ts(`
import { type A } from './lib/check.ts'
import { a } from './lib/missing.ts' // here
a()`),
    message: "RUN_FAILED: Cannot find module './lib/missing.ts' imported from missing file.test.md",
  },
  'missing package': {
    block: ts(`import 'no-such-package' // here`),
    message: "RUN_FAILED: Cannot find package 'no-such-package' imported from missing package.test.md",
  },
  'import that throws': {
    block: ts(`import './lib/throws.ts'`),
    message: 'RUN_FAILED: on load\n(thrown at lib/throws.ts:1:7)',
  },
  'import with bad syntax': { block: ts(`import './lib/syntax.ts'`), message: /Unexpected token[^]*syntax\.ts:1:11/ },
  export: {
    block: ts(`\nconst a = 1\nexport const b = a // here`),
    message: 'RUN_FAILED: A block cannot `export`, for nobody could import it. Take the word away.',
  },
  command: {
    block: ts(`await $\`echo out; echo err >&2; exit 4\` // here`),
    message: 'RUN_FAILED: `echo out; echo err >&2; exit 4` ended with exit code 4.\n\nstdout:\n  out\nstderr:\n  err',
  },
  'forgotten await': {
    block: ts(`$\`sleep 0.3\``),
    message: 'RUN_FAILED: `sleep 0.3` was still running when the block ended. Write `await` before its `$`.',
  },
  value: {
    block: ts(`const o: { x?: string } = {}\nawait $\`echo \${o.x as string}\` // here`),
    message:
      'RUN_FAILED: Value 1 of the `$` template is of type `undefined`. Use strings, numbers, booleans or lists of them.',
  },
  file: {
    block: ts(`\nawait readFile('nope.txt') // here`),
    message: /^RUN_FAILED: ENOENT: no such file .*nope\.txt'$/,
  },
  capture: {
    block: ts(`captures.set('id', 5 as unknown as string)`),
    message: 'RUN_FAILED: The capture `id` has to be a string, got a value of type `number`. Use `String(…)`.',
  },
  assertions: {
    block: ts(`expect.assertions(2)\nexpect(1).toBe(1)`),
    message: 'RUN_FAILED: expected number of assertions to be 2, but got 1',
  },
  timeout: {
    block: ts(`await new Promise(() => {})`, ' timeout=200ms'),
    message: 'BLOCK_TIMEOUT: The block took longer than 200 ms.',
  },
  'timeout of a command': {
    block: ts(`await $\`sleep 30\``, ' timeout=200ms'),
    message: 'BLOCK_TIMEOUT: The block took longer than 200 ms. `sleep 30` was still running.',
  },
  'timeout after a soft assertion': {
    block: ts(`expect.soft(process.env.SHOP_TOKEN).toBe('another')\nawait new Promise(() => {})`, ' timeout=2s'),
    message: 'BLOCK_TIMEOUT: The block took longer than 2000 ms.',
  },
  'slow to load': {
    block: ts(`import './lib/slow'\nexpect.soft(process.env.SHOP_TOKEN).toBe('another')`, ' timeout=200ms'),
    message: 'BLOCK_TIMEOUT: The block took longer than 200 ms.',
  },
  'busy too long': {
    block: ts(`const start = performance.now()\nwhile (performance.now() - start < 400) {}`, ' timeout=200ms'),
    message: 'BLOCK_TIMEOUT: The block took longer than 200 ms.',
  },
  secret: {
    block: ts(`
expect.soft(process.env.SHOP_TOKEN).toBe('another') // here
await $\`echo \${process.env.SHOP_TOKEN ?? ''}; false\``),
    message:
      /Line \d+: expected '\*\*\*SHOP_TOKEN\*\*\*' to be 'another'[^]*Line \d+: `echo '\*\*\*SHOP_TOKEN\*\*\*'; false`[^]*stdout:\n {2}\*\*\*SHOP_TOKEN\*\*\*/,
  },
}

const specOf = ({ block }: Failure): string => `---\nagent: none\n---\n\n# A\n\nWords.\n\n${block}\n`

/** Where the failure has to point, in the markdown. */
function lineOf(failure: Failure): number {
  const lines = specOf(failure).split('\n')
  const marked = lines.findIndex((line) => line.endsWith('// here'))
  return 1 + (marked < 0 ? lines.findIndex((line) => line.startsWith('```')) : marked)
}

const files = {
  'vitest.config.js': plainConfig,
  ...Object.fromEntries(Object.entries(failures).map(([name, failure]) => [`${name}.test.md`, specOf(failure)])),
  'lib/check.ts': `export interface A {\n  readonly id: number\n}\nexport function check({ id }: A): void {\n  if (id < 2)                     throw new RangeError(\`id \${id} is too small\`)\n}\n`,
  'lib/throws.ts': `throw new Error('on load')\n`,
  'lib/slow.ts': `await new Promise((resolve) => setTimeout(resolve, 500))\nexport {}\n`,
  'lib/syntax.ts': `const a = = 1\n`,
}

describe('a ts or js block', () => {
  test('says what is wrong with it, and where in the markdown', async () => {
    await using project = await createProject(files)
    const secret = 'tok-1234567890'
    const { stdout, all } = await project.vitest(['run', '--reporter=json', '--reporter=verbose'], {
      env: { SHOP_TOKEN: secret },
    })
    const tests = readJsonReport(stdout)
    for (const [name, failure] of Object.entries(failures)) {
      const { codes = [], messages = [] } = tests[`${name}.test.md`]?.[0] ?? {}
      const found = `${codes.join()}: ${messages.join()}`
      if (typeof failure.message === 'string') expect.soft(found, name).toBe(failure.message)
      else expect.soft(found, name).toMatch(failure.message)
      expect.soft(all, name).toMatch(new RegExp(`❯ ${name}\\.test\\.md:${lineOf(failure)}:`))
      expect.soft(all.match(new RegExp(`❯ ${name}\\.test\\.md:\\d+`))?.[0], name).toMatch(`:${lineOf(failure)}`)
    }
    expect(stdout).not.toContain(secret)
    expect(all).not.toContain(secret)
    expect(all).not.toContain('.mdtest-')
  })
})
