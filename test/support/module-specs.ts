/** A failing block of code. */
interface Failure {
  readonly block: string
  /** Code and message. */
  readonly message: string | RegExp
  /** The line of the markdown that has to be named. */
  readonly line: number
}

const ts = (code: string, words = ''): string => `\`\`\`ts${words}\n${code}\n\`\`\``
const js = (code: string): string => `\`\`\`js\n${code}\n\`\`\``

const blocks = {
  Setup: ts(`captures.set('order', '42')`),
  'has types': ts(`
interface Order { id: number }
enum Size { small, large }
const order = { id: Number(captures.get('order')) } satisfies Order
expect(order.id as number).toBe(42)
expect(Size.large).toBe(1)`),
  'imports beside the spec': ts(`
import { sum, type Sum } from './lib/sum.ts'
import * as all from '@lib/sum'
import data from './lib/data.json'
import pkg from 'some-package'
import { answer } from 'virtual:answer'
import { vi } from 'vitest'
const typed: Sum = sum
expect(typed(1, 2)).toBe(3)
expect(all.sum).toBe(sum)
expect([data.price, pkg, answer, VERSION]).toEqual([5, 'beside the spec', 42, 'defined'])
expect(vi.fn(() => 1)()).toBe(1)
expect((await import('./lib/sum.ts')).sum).toBe(sum)`),
  'imports types alone': ts(
    `import type { Sum } from './lib/sum.ts'\nimport { type Sum as S } from './lib/sum.ts'\nexport {}`,
  ),
  'knows where it is': js(`
expect(import.meta.dirname).toMatch(/sub \\[dir\\]$/)
expect(__dirname).toBe(import.meta.dirname)
expect(import.meta.url).toMatch(/^file:.*sub/)
expect(dir).not.toContain('sub')`),
  'runs commands': ts(`
const { stdout, stderr, exitCode } = await $\`printf '%s|' \${["a b", "it's", '', '$HOME', 'ä\\n', '-n']} \${1} \${true}; echo err >&2\`
expect({ stdout, stderr, exitCode }).toEqual({ stdout: "a b|it's||$HOME|ä\\n|-n|1|true|", stderr: 'err', exitCode: 0 })
expect((await $\`printf 'a\\tb\\n\\n'\`).stdout).toBe('a\\tb\\n')
await $\`name=ready; mkdir -p made && cd made\`
expect((await $.nothrow\`exit 3\`).exitCode).toBe(3)
await expect($\`cat no-such-file\`).rejects.toMatchObject({ code: 'EXEC_COMMAND_FAILED', exitCode: 1 })
expect(await Promise.all([1, 2, 3].map(async (n) => (await $\`echo \${n}\`).stdout))).toEqual(['1', '2', '3'])`),
  'shares the shell with other blocks':
    '```console\n$ echo "$name in ${PWD##*/}"\nready in made\n$ echo "{}" > order.json\n$ echo 42 7\n{{order}} {{next:/\\d+/}}\n```',
  'reads files': ts(`
expect(JSON.parse(await readFile('made/order.json'))).toEqual({})
expect(captures.get('next')).toBe('7')
expect(await readFile(\`\${dir}/made/order.json\`, 'base64')).toBe('e30K')`),
  'has attributes': ts(
    `
expect((await $\`echo \${1} "$X \\\${PWD##*/}"\`).stdout).toBe('1 yes made')
expect(dir).toMatch(/made$/)
expect(await readFile('order.json')).toBe('{}\\n')`,
    ' cwd=made env.X=yes',
  ),
  'may declare the same names': ts(`
import { readFile } from 'node:fs/promises'
const $ = 1
const expect2 = expect
{ const expect = 2; expect2(expect).toBe(2) }
var captures = 3
expect([typeof readFile, $, captures]).toEqual(['function', 1, 3])`),
  'awaits and polls': ts(`
const start = performance.now()
await expect.poll(() => performance.now() - start, { interval: 5 }).toBeGreaterThan(20)
expect.assertions(3)
expect(1).toBe(1)
expect(await Promise.resolve(2)).toBe(2)`),
}

/** The tests of `a b.test.md`, all of which pass. */
export const scope = Object.keys(blocks)
  .slice(1)
  .map((name) => [`Shop > ${name}`, 'pass'])

/** A spec with all that blocks find in scope, `a b.test.md`, and what it needs, a configuration among it. */
export const scopeFiles = {
  'vitest.config.js': `import { fileURLToPath } from 'node:url'
import { mdtest } from 'vitest-mdtest'
const answer = {
  name: 'answer',
  resolveId: (id) => (id === 'virtual:answer' ? '\\0answer' : undefined),
  load: (id) => (id === '\\0answer' ? 'export const answer = 42' : undefined),
}
export default {
  plugins: [answer, mdtest({ agent: { command: [process.execPath, 'agent.mjs', '{log}'] } })],
  resolve: { alias: { '@lib': fileURLToPath(new URL('sub [dir]/lib', import.meta.url)) } },
  define: { VERSION: '"defined"' },
  test: { globals: true },
}
`,
  'sub [dir]/a b.test.md': `---\nagent: none\ncwd: temp\n---\n\n# Shop\n\n${Object.entries(blocks)
    .map(([title, code]) => `## ${title}\n\n${code}\n`)
    .join('\n')}`,
  'sub [dir]/lib/sum.ts': `export type Sum = (a: number, b: number) => number\nexport const sum: Sum = (a, b) => a + b\n`,
  'sub [dir]/lib/data.json': '{ "price": 5 }',
  'sub [dir]/node_modules/some-package/package.json':
    '{ "name": "some-package", "type": "module", "exports": "./index.js" }',
  'sub [dir]/node_modules/some-package/index.js': `export default 'beside the spec'\n`,
  'node_modules/some-package/package.json': '{ "name": "some-package", "type": "module", "exports": "./index.js" }',
  'node_modules/some-package/index.js': `export default 'in the root'\n`,
}

const specOf = (block: string): string => `---\nagent: none\n---\n\n# A\n\nWords.\n\n${block}\n`

/** The line that ends with `// here`, else that of the fence. */
function failing(block: string, message: string | RegExp): Failure {
  const lines = specOf(block).split('\n')
  const marked = lines.findIndex((line) => line.endsWith('// here'))
  return { block, message, line: 1 + (marked < 0 ? lines.findIndex((line) => line.startsWith('```')) : marked) }
}

/** By the name of their spec. They need the variable SHOP_TOKEN. */
export const failures: Readonly<Record<string, Failure>> = {
  assertion: failing(
    ts(`
interface Order { id: number; at: string }
const order: Order = { id: 1, at: 'noon' }

expect(order).toEqual({ id: 2, at: expect.any(String) }) // here
expect(0).toBe(1)`),
    `RUN_FAILED: expected { id: 1, at: 'noon' } to deeply equal { id: 2, at: Any<String> } (- expected, + actual):
  {
-   "at": Any<String>,
-   "id": 2,
+   "at": "noon",
+   "id": 1,
  }`,
  ),
  'soft assertions': failing(
    ts(`
expect.soft(1).toBe(1)
expect.soft('a\\nb').toBe('a\\nc') // here
expect.soft(1).toBe(2)
throw new TypeError('and then this')`),
    /^RUN_FAILED: Line \d+: expected .*\n {2}a\n- c\n\+ b\n\nLine \d+: expected 1 to be 2.*\n- 2\n\+ 1\n\nLine \d+: TypeError: and then this$/,
  ),
  verify: failing(ts(`expect.fail('no') // here`, ' verify'), 'VERIFY_FAILED: no'),
  helper: failing(
    ts(`
import { check } from './lib/check.ts'
check({ id: 1 }) // here`),
    'RUN_FAILED: RangeError: id 1 is too small\n(thrown at lib/check.ts:5:41)',
  ),
  causes: failing(
    ts(`throw new Error('outer', { cause: new TypeError('inner') }) // here`),
    'RUN_FAILED: outer\nCaused by: TypeError: inner',
  ),
  'no error': failing(ts(`throw { a: 'b' }`), "RUN_FAILED: { a: 'b' } was thrown, which is not an error."),
  syntax: failing(ts(`\nconst a: number = 1\nconst b = = 2 // here`), /Unexpected token[^]*syntax\.test\.md:\d+:11/),
  'js syntax': failing(js(`const a = 1\nconst b = = 2 // here`), /Unexpected token/),
  'missing file': failing(
    ts(`
import { type A } from './lib/check.ts'
import { a } from './lib/missing.ts' // here
a()`),
    "RUN_FAILED: Cannot find module './lib/missing.ts' imported from missing file.test.md",
  ),
  'missing name': failing(
    ts(`import { chek } from './lib/check.ts'\nchek({ id: 2 }) // here`),
    /^RUN_FAILED: TypeError: .*chek\) is not a function/,
  ),
  'missing package': failing(
    ts(`import 'no-such-package' // here`),
    "RUN_FAILED: Cannot find package 'no-such-package' imported from missing package.test.md",
  ),
  'import that throws': failing(ts(`import './lib/throws.ts'`), 'RUN_FAILED: on load\n(thrown at lib/throws.ts:1:7)'),
  'import with bad syntax': failing(ts(`import './lib/syntax.ts'`), /Unexpected token[^]*syntax\.ts:1:11/),
  export: failing(
    ts(`\nconst a = 1\nexport const b = a // here`),
    'RUN_FAILED: A block cannot `export`, because nothing can import it. Remove `export`.',
  ),
  command: failing(
    ts(`await $\`echo out; echo err >&2; exit 4\` // here`),
    'RUN_FAILED: `echo out; echo err >&2; exit 4` ended with exit code 4.\n\nstdout:\n  out\nstderr:\n  err',
  ),
  'forgotten await': failing(
    ts(`$\`sleep 0.3\``),
    'RUN_FAILED: `sleep 0.3` was still running when the block ended. Write `await` before its `$`.',
  ),
  value: failing(
    ts(`const o: { x?: string } = {}\nawait $\`echo \${o.x as string}\` // here`),
    'RUN_FAILED: Value 1 of the `$` template is of type `undefined`. Use strings, numbers, booleans or lists of them.',
  ),
  file: failing(ts(`\nawait readFile('nope.txt') // here`), /^RUN_FAILED: ENOENT: no such file .*nope\.txt'$/),
  assertions: failing(
    ts(`expect.assertions(2)\nexpect(1).toBe(1)`),
    'RUN_FAILED: expected number of assertions to be 2, but got 1',
  ),
  // What fails late, in a soft assertion, while it loads or in code that awaits nothing is no reason besides.
  timeout: failing(
    ts(`expect.soft(process.env.SHOP_TOKEN).toBe('another')\nawait new Promise(() => {})`, ' timeout=200ms'),
    'BLOCK_TIMEOUT: The block took longer than 200 ms.',
  ),
  'slow to load': failing(
    ts(`import './lib/slow'\nexpect.soft(process.env.SHOP_TOKEN).toBe('another')`, ' timeout=200ms'),
    'BLOCK_TIMEOUT: The block took longer than 200 ms.',
  ),
  secret: failing(
    ts(`
expect.soft(process.env.SHOP_TOKEN).toBe('another') // here
await $\`echo \${process.env.SHOP_TOKEN ?? ''}; false\``),
    /Line \d+: expected '\*\*\*SHOP_TOKEN\*\*\*' to be 'another'[^]*Line \d+: `echo '\*\*\*SHOP_TOKEN\*\*\*'; false`[^]*stdout:\n {2}\*\*\*SHOP_TOKEN\*\*\*/,
  ),
}

/** Their specs, and what these import. */
export const failureSpecs: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(failures).map(([name, { block }]) => [`${name}.test.md`, specOf(block)])),
  'lib/check.ts': `export interface A {\n  readonly id: number\n}\nexport function check({ id }: A): void {\n  if (id < 2)                     throw new RangeError(\`id \${id} is too small\`)\n}\n`,
  'lib/throws.ts': `throw new Error('on load')\n`,
  'lib/slow.ts': `await new Promise((resolve) => setTimeout(resolve, 500))\nexport {}\n`,
  'lib/syntax.ts': `const a = = 1\n`,
}
