import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProject, type Finished, type Project } from '../support/create-project.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { failures, failureSpecs, scope, scopeFiles } from '../support/module-specs.ts'

const ts = (code: string, words = ''): string => `\`\`\`ts${words}\n${code}\n\`\`\`\n`

const retried = `---
agent: none
---

# A

<!-- mdtest: retry=1 -->

${ts(`
import { appendFileSync, readFileSync } from 'node:fs'
const trace = import.meta.dirname + '/trace'
appendFileSync(trace, captures.size + ',')
captures.set('a', 'b')
expect(readFileSync(trace, 'utf8')).toBe('0,0,')`)}`

const verify = (count: number): string =>
  `# Order\n\nBuy ${count} mugs.\n\n${ts(`expect(JSON.parse(await readFile('order.json'))).toHaveLength(${count})`, ' verify')}`

const included = `---
agent: none
include: [../shared/count.md]
---

# Shop

## Double <n>

${ts(`import { double } from './lib/double.ts'\nexpect(double(<n>)).toBe(<twice>)`)}
### Examples

| n   | twice |
| --- | ----- |
| 1   | 2     |
| 2   | 5     |
`

const files = {
  ...scopeFiles,
  ...failureSpecs,
  'agent.mjs': `import { writeFileSync } from 'node:fs'\nwriteFileSync('order.json', '[1]')\nwriteFileSync(process.argv[2], '---\\nstatus: pass\\n---\\n')\n`,
  'retried.test.md': retried,
  'one.test.md': verify(1),
  'two.test.md': verify(2),
  'specs/included.test.md': included,
  'specs/lib/double.ts': 'export const double = (n: number): number => 2 * n\n',
  'specs/wrong.test.md': '---\nagent: none\ninclude: [../shared/wrong.md]\n---\n\n# W\n\n```sh\ntrue\n```\n',
  'shared/count.md': `# Count\n\n${ts(`import { count } from './count.ts'\n\nexpect(count).toBe(3)`)}`,
  'shared/wrong.md': `# Wrong\n\n${ts(`import { count } from './count.ts'\n\nexpect(count).toBe(4)`)}`,
  'shared/count.ts': 'export const count = 3\n',
}

const secret = 'tok-1234567890'

describe('a ts or js block', () => {
  let project: Project
  let run: Finished
  const testsOf = (name: string) => readJsonReport(run.stdout)[`${name}.test.md`] ?? []
  beforeAll(async () => {
    project = await createProject(files)
    run = await project.vitest(['run', '--reporter=json', '--reporter=verbose'], { env: { SHOP_TOKEN: secret } })
  })
  afterAll(() => project[Symbol.asyncDispose]())

  test('has expect, $, readFile, captures, imports and its place in scope', () => {
    const found = testsOf('a b').map(({ name, outcome, messages }) => [name, outcome, ...(messages ?? [])])
    expect(found, run.all).toEqual(scope)
  })

  test.for(Object.entries(failures))('says what is wrong with it, and where in the markdown: %s', ([name, failure]) => {
    const [{ codes, messages = [] } = { codes: [] }] = testsOf(name)
    const found = `${codes.join()}: ${messages.join()}`
    if (typeof failure.message === 'string') expect(found).toBe(failure.message)
    else expect(found).toMatch(failure.message)
    // The first place that is named.
    expect(run.all.match(new RegExp(`❯ ${name}\\.test\\.md:\\d+`))?.[0]).toMatch(`:${failure.line}`)
  })

  test('shows no secret and no module that was made of it', () => {
    for (const text of [run.stdout, run.all]) expect(text).not.toContain(secret)
    expect(run.all).not.toContain('.mdtest-')
  })

  test('runs again with a retry, in a new scenario', async () => {
    expect(verdictsOf(run.stdout, 'retried.test.md')).toEqual(['pass verified'])
    expect(await project.read('trace')).toBe('0,0,')
  })

  test('verifies what an agent did', () => {
    expect(verdictsOf(run.stdout, 'one.test.md')).toEqual(['pass verified'])
    expect(verdictsOf(run.stdout, 'two.test.md')).toEqual(['fail VERIFY_FAILED'])
  })

  test('has the values of its row, and in an included file the imports and lines of that file', () => {
    expect(testsOf('included').map(({ name, outcome, messages }) => [name, outcome, ...(messages ?? [])])).toEqual([
      ['Shop > Count', 'pass'],
      ['Shop > Double <n> > Double 1', 'pass'],
      ['Shop > Double <n> > Double 2', 'fail', expect.stringContaining('expected 4 to be 5')],
    ])
    expect(run.all).toContain('shared/wrong.md:6')
    expect(run.all).toContain('expected 3 to be 4')
  })
})

const step = (title: string, code: string): string => `## ${title}\n\n${ts(code)}`
const specOf = (...steps: readonly string[]): string => `---\nagent: none\n---\n\n# Shop\n\n${steps.join('\n')}`

test('a block that cannot be loaded does not show the failure that `fails` expects', async () => {
  const blocks = {
    wrong: `import { total } from './lib/cart.js'\nexpect(total()).toBe(2)`,
    throws: `import './lib/throws.js'`,
    module: `import './lib/cartt.js'`,
    name: `import { totall } from './lib/cart.js'\nexpect(totall()).toBe(2)`,
    default: `import total from './lib/cart.js'\nexpect(total()).toBe(2)`,
    later: `await import('./lib/cartt.js').catch((cause) => { throw new Error('no cart', { cause }) })`,
  }
  const steps = Object.entries(blocks).map(([name, code]) =>
    step(name, code).replace('```', '<!-- mdtest: fails -->\n\n```'),
  )
  await using project = await createProject({
    'vitest.config.js': scopeFiles['vitest.config.js'],
    'lib/cart.js': 'export const total = () => 1\n',
    'lib/throws.js': "throw new Error('on load')\n",
    'cart.test.md': specOf(...steps),
  })
  const run = await project.vitest(['run', '--reporter=json'])
  const failed = Array.from({ length: 4 }, () => 'fail RUN_FAILED')
  expect(verdictsOf(run.stdout, 'cart.test.md'), run.all).toEqual(['pass verified', 'pass verified', ...failed])
})

test('a snapshot belongs to its step; what this run has written verifies nothing; one that differs fails until `-u`', async () => {
  const spec = specOf(
    step('Add', `expect('mug').toMatchSnapshot()\nexpect(1).toMatchSnapshot()`),
    step('Pay', `expect('paid').toMatchSnapshot()`),
    step('Both', `expect('new').toMatchSnapshot()\nexpect(1).toBe(1)`),
    step('File', `await expect('text').toMatchFileSnapshot('./text.txt')`),
    step('Inline', `  expect({ a: 1 }).toMatchInlineSnapshot()\nexpect('😀').toMatchInlineSnapshot()`),
    step('Soft', `expect.soft(5).toMatchSnapshot()`),
  )
  await using project = await createProject({
    'vitest.config.js': scopeFiles['vitest.config.js'],
    'shop.test.md': spec,
  })
  const first = await project.vitest(['run', '--reporter=json', '--reporter=default'])
  const [unproved, verified] = ['pass observed', 'pass verified']
  const verdicts = verdictsOf(first.stdout, 'shop.test.md')
  expect(verdicts, first.all).toEqual([unproved, unproved, verified, unproved, unproved, unproved])
  expect(first.all).toContain('unproved: 5 steps are compared with nothing but what this run has written.')
  const snapshots = '__snapshots__/shop.test.md.snap'
  const written = await project.read(snapshots)
  const names = ['Add 1', 'Add 2', 'Both 1', 'Pay 1', 'Soft 1']
  expect(written.match(/exports\[.*\]/g)).toEqual(names.map((name) => `exports[\`Shop > ${name}\`]`))
  expect(await project.read('text.txt')).toBe('text')
  const filled = spec
    .replace(
      '{ a: 1 }).toMatchInlineSnapshot()',
      '{ a: 1 }).toMatchInlineSnapshot(`\n    {\n      "a": 1,\n    }\n  `)',
    )
    .replace(`'😀').toMatchInlineSnapshot()`, `'😀').toMatchInlineSnapshot(\`"😀"\`)`)
  expect(await project.read('shop.test.md')).toBe(filled)

  // At a second try, too.
  const failsOnce = `import { existsSync, writeFileSync } from 'node:fs'
if (!existsSync('tried')) { writeFileSync('tried', ''); throw new Error('at first') }
expect('late')`
  const late = filled.replace("expect('paid')", failsOnce).replace('## Pay\n', '## Pay\n\n<!-- mdtest: retry=1 -->\n')
  await project.write('shop.test.md', late)
  const again = await project.vitest(['run', '--reporter=json', '--reporter=default'])
  const failed = 'fail RUN_FAILED'
  expect(verdictsOf(again.stdout, 'shop.test.md').slice(0, 2), again.all).toEqual([verified, failed])
  expect(again.all).toMatch(/Snapshot `Shop > Pay 1` mismatched \(- expected, \+ actual\):\n- "?paid"?\n\+ "?late"?/)
  expect(again.all).not.toMatch(/\d written/)
  const updated = await project.vitest(['run', '-u'])
  expect(updated.exitCode, updated.all).toBe(0)
  expect(await project.read(snapshots)).toContain('late')
  expect(await project.read('shop.test.md')).toBe(late)
})
