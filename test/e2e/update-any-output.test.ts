import { describe, expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import fc from '../support/fast-check.ts'

const parts = fc.oneof(
  fc.constantFrom(
    '\n',
    '\r',
    '\r\n',
    '\t',
    ' ',
    '$ x',
    '> x',
    '[2]',
    '...',
    '```',
    '~~~',
    '{{x}}',
    '{{x:/(/}}',
    ' (re)',
  ),
  fc.constantFrom(
    ' (no-eol)',
    ' (glob*)',
    '# T',
    '---',
    '<!--',
    '\u{1B}[31m',
    '\u{1B}]8;;x\u{7}',
    '\u{9B}',
    '\u2028',
    '\\',
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
)
/** What bash can print: anything but NUL, which it would lose in its own variables; `printf` of octal bytes has it too. */
const output = fc.oneof(
  fc.array(parts, { maxLength: 12 }).map((all) => Buffer.from(all.join(''))),
  fc.uint8Array({ maxLength: 30 }).map((array) => Buffer.from(array)),
)

const printing = (bytes: Buffer): string =>
  `printf '${[...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}'`

/** The output in a transcript, and of a script in a list, in an empty fence or one that holds something else. */
const block = fc.tuple(output, output, fc.constantFrom('', 'old', 'old\n\nold')).map(([one, other, old]) => {
  const held = old === '' ? [] : old.split('\n')
  const list = ['~~~~sh', printing(other), '~~~~', '', '~~~~output', ...held, '~~~~']
  return [
    ...['```console', `$ ${printing(one)}`, ...held, '$ true', ...held, `$ (exit ${one.length % 3})`, '```', ''],
    ...['- item', '', ...list.map((line) => `  ${line}`), ''],
  ]
})

describe('any output', () => {
  test('that `-u` has written matches in the next run, and nothing else has changed', async () => {
    const blocks = fc.sample(block, 150)
    const text = ['---', 'agent: none', '---', '', '# A', '', ...blocks.flat(), ''].join('\n')
    await using project = await createProject({ 'a.test.md': text })
    const first = await project.mdtest(['run', '-u'])
    expect(first.all).toContain('1 passed, 0 failed')
    const written = await project.read('a.test.md')
    const second = await project.mdtest(['run'])
    expect(second.all).toContain('1 passed, 0 failed')
    expect(await project.read('a.test.md')).toBe(written)
    const commands = (all: string): readonly string[] => all.split('\n').filter((line) => line.includes("printf '"))
    expect(commands(written)).toEqual(commands(text))
    expect(written.match(/^ *(`{3,}|~{3,})\w*$/gm)).toEqual(text.match(/^ *(`{3,}|~{3,})\w*$/gm))
  })

  test('may be one line of a megabyte, or a hundred thousand lines', async () => {
    const fence = (...lines: readonly string[]): string => ['```console', ...lines, '```', ''].join('\n')
    const text = `---\nagent: none\n---\n\n# A\n\n${fence(`$ head -c 1000000 /dev/zero | tr '\\0' x`)}\n${fence('$ seq 100000')}`
    await using project = await createProject({ 'a.test.md': text })
    expect((await project.mdtest(['run', '-u'])).all).toContain('1 passed, 0 failed')
    expect((await project.mdtest(['run'])).all).toContain('1 passed, 0 failed')
    expect((await project.read('a.test.md')).split('\n').length).toBe(text.split('\n').length + 100_001)
  })
})
