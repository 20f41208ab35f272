import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { verdictsOf } from '../support/json-report.ts'

const step = (title: string, code: string): string => `## ${title}\n\n\`\`\`ts\n${code}\n\`\`\`\n`
const specOf = (...steps: readonly string[]): string => `---\nagent: none\n---\n\n# Shop\n\n${steps.join('\n')}`
const add = step('Add', `expect('mug').toMatchSnapshot()\nexpect(1).toMatchSnapshot()`)
const pay = step('Pay', `expect('paid').toMatchSnapshot()`)
const snapshotFile = '__snapshots__/shop.test.md.snap'

describe('a snapshot of a block', () => {
  test('belongs to its step, whichever tests a filter leaves', async () => {
    await using project = await createProject({ 'vitest.config.js': plainConfig, 'shop.test.md': specOf(add, pay) })
    const first = await project.vitest(['run', '-t', 'Pay'])
    expect(first.all).toContain('3 written')
    const written = await project.read(snapshotFile)
    expect(written.match(/exports\[.*\]/g)).toEqual([
      'exports[`Shop > Add 1`]',
      'exports[`Shop > Add 2`]',
      'exports[`Shop > Pay 1`]',
    ])
    const again = await project.vitest(['run', '--reporter=json'], { env: { CI: '1' } })
    expect(verdictsOf(again.stdout, 'shop.test.md')).toEqual(['pass verified', 'pass verified'])
    expect(await project.read(snapshotFile)).toBe(written)
  })

  test('that differs fails the step, also under a retry, until `-u`', async () => {
    await using project = await createProject({ 'vitest.config.js': plainConfig, 'shop.test.md': specOf(add, pay) })
    await project.vitest(['run'])
    const failsOnce = step(
      'Pay',
      `import { existsSync, writeFileSync } from 'node:fs'\nif (!existsSync('tried')) { writeFileSync('tried', ''); throw new Error('at first') }\nexpect('late').toMatchSnapshot()`,
    ).replace('Pay\n', 'Pay\n\n<!-- mdtest: retry=1 -->\n')
    await project.write('shop.test.md', specOf(add, failsOnce))
    const { all, exitCode } = await project.vitest(['run'])
    expect(exitCode).toBe(1)
    expect(all).toMatch(/Snapshot `Shop > Pay 1` mismatched \(- expected, \+ actual\):\n- "?paid"?\n\+ "?late"?/)
    expect(all).not.toContain('written')
    expect((await project.vitest(['run', '-u'])).exitCode).toBe(0)
    expect(await project.read(snapshotFile)).toContain('late')
    expect((await project.vitest(['run'], { env: { CI: '1' } })).exitCode).toBe(0)
  })

  test('that this run has written verifies nothing, and the run says so', async () => {
    const other = step('Both', `expect('new').toMatchSnapshot()\nexpect(1).toBe(1)`)
    const thrown = step('Throw', `expect(() => { throw new Error('no') }).toThrowErrorMatchingSnapshot()`)
    const file = step('File', `await expect('text').toMatchFileSnapshot('./text.txt')`)
    const inline = step('Inline', `expect(5).toMatchInlineSnapshot()`)
    const soft = step('Soft', `expect.soft(5).toMatchSnapshot()`)
    const spec = specOf(pay, other, thrown, file, inline, soft)
    await using project = await createProject({ 'vitest.config.js': plainConfig, 'shop.test.md': spec })
    const verdicts = async (...flags: readonly string[]): Promise<readonly unknown[]> =>
      verdictsOf((await project.vitest(['run', '--reporter=json', ...flags])).stdout, 'shop.test.md')
    const [unproved, verified] = ['pass observed', 'pass verified']
    expect(await verdicts()).toEqual([unproved, verified, unproved, unproved, unproved, unproved])
    const again = await project.vitest(['run', '-u'])
    expect(again.all).toContain('steps: 6 passed: 6 verified')
    expect(again.all).not.toContain('unproved')
    await project.write('shop.test.md', spec.replace("'paid'", "'late'").replace('inline', 'inline'))
    const updated = await project.vitest(['run', '-u', '-t', 'Pay'])
    expect(updated.all).toContain('steps: 1 passed: 1 observed')
    expect(updated.all).toContain('unproved: 1 step is compared with nothing but what this run has written.')
    await project.write('shop.test.md', spec.replace("'paid'", "'gone'"))
    const strict = await project.mdtest(['run', '-u', '--min-assurance', 'verified'])
    expect(strict.exitCode).toBe(1)
    expect(strict.all).toContain(
      'ASSURANCE_TOO_LOW: The pass is `observed` only, and `verified` is needed. All that its',
    )
  })

  test('may be a file beside the spec, or stand in the block', async () => {
    const spec = specOf(
      step('File', `await expect('text').toMatchFileSnapshot('./text.txt')`),
      step(
        'Inline',
        `  expect({ a: 1 }).toMatchInlineSnapshot()\nexpect('😀').toMatchInlineSnapshot()\nexpect(2).toBe(2)`,
      ),
    )
    await using project = await createProject({ 'vitest.config.js': plainConfig, 'a/shop.test.md': spec })
    const ci = await project.vitest(['run'], { env: { CI: '1' } })
    expect([ci.exitCode, await project.read('a/shop.test.md'), existsSync(project.path('a/text.txt'))]).toEqual([
      1,
      spec,
      false,
    ])
    expect((await project.vitest(['run'])).exitCode).toBe(0)
    expect(await project.read('a/text.txt')).toBe('text')
    const filled = spec
      .replace(
        '{ a: 1 }).toMatchInlineSnapshot()',
        '{ a: 1 }).toMatchInlineSnapshot(`\n    {\n      "a": 1,\n    }\n  `)',
      )
      .replace(`'😀').toMatchInlineSnapshot()`, `'😀').toMatchInlineSnapshot(\`"😀"\`)`)
    expect(await project.read('a/shop.test.md')).toBe(filled)
    expect((await project.vitest(['run'], { env: { CI: '1' } })).exitCode).toBe(0)
    await project.write('a/shop.test.md', filled.replace('"a": 1', '"a": 2'))
    expect((await project.vitest(['run'])).all).toMatch(/shop\.test\.md:16:/)
    expect((await project.vitest(['run', '-u'])).exitCode).toBe(0)
    expect(await project.read('a/shop.test.md')).toBe(filled)
  })
})
