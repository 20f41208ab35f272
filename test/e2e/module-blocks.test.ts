import { describe, expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'

/** A spec without an agent, of one scenario with one block for each step. */
function specOf(blocks: Readonly<Record<string, string>>, frontMatter = ''): string {
  const steps = Object.entries(blocks).map(([title, code]) => `## ${title}\n\n${code}\n`)
  return `---\nagent: none\n${frontMatter}---\n\n# Shop\n\n${steps.join('\n')}`
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

const files = {
  'vitest.config.js': `import { fileURLToPath } from 'node:url'
import { mdtest } from 'vitest-mdtest'
const answer = {
  name: 'answer',
  resolveId: (id) => (id === 'virtual:answer' ? '\\0answer' : undefined),
  load: (id) => (id === '\\0answer' ? 'export const answer = 42' : undefined),
}
export default {
  plugins: [answer, mdtest()],
  resolve: { alias: { '@lib': fileURLToPath(new URL('sub [dir]/lib', import.meta.url)) } },
  define: { VERSION: '"defined"' },
  test: { globals: true },
}
`,
  'sub [dir]/a b.test.md': specOf(blocks, 'cwd: temp\n'),
  'sub [dir]/lib/sum.ts': `export type Sum = (a: number, b: number) => number\nexport const sum: Sum = (a, b) => a + b\n`,
  'sub [dir]/lib/data.json': '{ "price": 5 }',
  'sub [dir]/node_modules/some-package/package.json':
    '{ "name": "some-package", "type": "module", "exports": "./index.js" }',
  'node_modules/some-package/package.json': '{ "name": "some-package", "type": "module", "exports": "./index.js" }',
  'node_modules/some-package/index.js': `export default 'in the root'\n`,
  'sub [dir]/node_modules/some-package/index.js': `export default 'beside the spec'\n`,
}

describe('a ts or js block', () => {
  test.for(['', '--isolate', '--pool=forks', '--pool=vmThreads'])(
    'has expect, $, readFile, captures, imports and its place in scope %s',
    async (flag) => {
      await using project = await createProject(files)
      const { stdout, all } = await project.vitest(['run', '--reporter=json', ...(flag === '' ? [] : [flag])])
      const tests = readJsonReport(stdout)['a b.test.md'] ?? []
      expect(
        tests.map(({ name, outcome, messages }) => [name, outcome, ...(messages ?? [])]),
        all,
      ).toEqual(
        Object.keys(blocks)
          .slice(1)
          .map((name) => [`Shop > ${name}`, 'pass']),
      )
    },
  )

  test('runs again with a retry, in a new scenario', async () => {
    const spec = `# Counter\n\n${ts(`
import { appendFileSync, readFileSync } from 'node:fs'
const trace = import.meta.dirname + '/trace'
appendFileSync(trace, captures.size + ',')
captures.set('a', 'b')
expect(readFileSync(trace, 'utf8')).toBe('0,0,')`)}\n`
    await using project = await createProject({
      'vitest.config.js': plainConfig,
      'a.test.md': `---\nagent: none\n---\n\n# A\n\n<!-- mdtest: retry=1 -->\n\n${spec.slice(11)}`,
    })
    const { stdout, all } = await project.vitest(['run', '--reporter=json'])
    expect(verdictsOf(stdout, 'a.test.md'), all).toEqual(['pass verified'])
    expect(await project.read('trace')).toBe('0,0,')
  })

  test('verifies what an agent did', async () => {
    const agent = `import { writeFileSync } from 'node:fs'\nwriteFileSync('order.json', '[1]')\nwriteFileSync(process.argv[2], '---\\nstatus: pass\\n---\\n')\n`
    const verify = (count: number): string =>
      `# Order\n\nBuy ${count} mugs.\n\n${ts(`expect(JSON.parse(await readFile('order.json'))).toHaveLength(${count})`, ' verify')}\n`
    await using project = await createProject({
      'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: { command: [process.execPath, 'agent.mjs', '{log}'] } })] }\n`,
      'agent.mjs': agent,
      'one.test.md': verify(1),
      'two.test.md': verify(2),
    })
    const { stdout } = await project.vitest(['run', '--reporter=json'])
    expect(verdictsOf(stdout, 'one.test.md')).toEqual(['pass verified'])
    expect(verdictsOf(stdout, 'two.test.md')).toEqual(['fail VERIFY_FAILED'])
  })
})
