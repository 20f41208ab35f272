import { describe, expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'

const head = '---\nagent: none\n---\n\n'
const including = (file: string): string => `---\nagent: none\ninclude: [${file}]\n---\n\n`

function fence(language: string, ...lines: readonly string[]): string {
  return ['```' + language, ...lines, '```', ''].join('\n')
}

const table = (...rows: readonly string[]): string =>
  `### Examples\n\n| name |\n| ---- |\n${rows.map((row) => `| ${row} |\n`).join('')}`

describe('-u and a table', () => {
  const spec = (rows: readonly string[], ...lines: readonly string[]): string =>
    `${head}# A\n\n## Greet\n\n${fence('console', ...lines)}\n${table(...rows)}`

  const rewritten = spec(['Ada', 'Bob'], '$ printf "hi <name>\\nnew\\n"', 'hi <name>', 'old')
  const left: readonly (readonly [title: string, text: string, message: string])[] = [
    [
      'a line that holds a placeholder',
      spec(['Ada'], '$ echo "bye <name>"', 'hi <name>'),
      'line 11 holds a placeholder of the table',
    ],
    [
      'what is different in each row',
      spec(['Ada', 'Bob'], '$ echo "<name>"', 'old'),
      'this block runs several times, with other output each time',
    ],
    [
      'what matches in one of the rows',
      spec(['Ada', 'Bob'], '$ [ {{name}} = Ada ] && echo "Ada" || echo old', 'old'),
      'this block runs several times, with other output each time',
    ],
    [
      'output that would be read as a placeholder',
      spec(['Ada'], `$ : "<name>"; printf '{{%s}}\\n' name`, 'old'),
      'the output holds what would be read as a placeholder',
    ],
  ]

  test('rewrites what is the same in all rows, keeps placeholders, and leaves the rest alone', async () => {
    const files = left.map(([, text], index) => [`left-${index}.test.md`, text])
    await using project = await createProject({ 'rewritten.test.md': rewritten, ...Object.fromEntries(files) })
    const { all, exitCode } = await project.mdtest(['run', '-u'])
    expect(exitCode).toBe(1)
    expect(all).toContain(`1 passed, ${left.length} failed`)
    expect(await project.read('rewritten.test.md')).toBe(rewritten.replace('\nold', '\nnew'))
    for (const [index, [title, text, message]] of left.entries()) {
      const own = all
        .split(/^(?=.*FAIL )/m)
        .find((part) => part.includes(`left-${index}.test.md`) && part.includes('FAIL'))
      expect([title, own]).toEqual([title, expect.stringContaining(message)])
      expect(await project.read(`left-${index}.test.md`)).toBe(text)
    }
  })

  test('needs all rows, so a filter that leaves one out rewrites nothing', async () => {
    const text = spec(['Ada', 'Bob'], '$ : "<name>"; echo new', 'old')
    await using project = await createProject({ 'a.test.md': text })
    const { all, exitCode } = await project.mdtest(['run', '-u', '-t', 'Ada'])
    expect(exitCode).toBe(1)
    expect(all).toContain('not all of them ran and passed')
    expect(await project.read('a.test.md')).toBe(text)
  })
})

describe('-u and included files', () => {
  const shared = (expected: string): string => `## Shared\n\n${fence('console', '$ cat new 2>&1 || true', expected)}`
  const own = (expected: string): string => `# A\n\n## Own\n\n${fence('console', '$ echo new', expected)}`

  test('rewrites them too, once for all specs', async () => {
    await using project = await createProject({
      'vitest.config.js': plainConfig,
      new: 'new\n',
      'shared.md': shared('old'),
      'a.test.md': including('./shared.md') + own('old'),
      'b.test.md': including('./shared.md') + own('old'),
    })
    const { all, exitCode } = await project.vitest(['run', '-u'])
    expect(exitCode).toBe(0)
    expect(all).toMatch(/Snapshots {2}3 updated/)
    expect(await project.read('shared.md')).toBe(shared('new'))
    expect(await project.read('a.test.md')).toBe(including('./shared.md') + own('new'))
    expect(await project.read('b.test.md')).toBe(including('./shared.md') + own('new'))
    expect((await project.vitest(['run'])).exitCode).toBe(0)
  })

  test('leaves alone what two specs have different output for', async () => {
    const spec = (name: string): string =>
      `---\nagent: none\ncwd: temp\nenv:\n  WHO: ${name}\ninclude: [./shared.md]\n---\n\n# A\n\n## Own\n\n${fence('sh', 'true')}`
    const text = `## Shared\n\n${fence('console', '$ echo "$WHO"', 'old')}`
    await using project = await createProject({ 'shared.md': text, 'a.test.md': spec('a'), 'b.test.md': spec('b') })
    const { all, exitCode } = await project.mdtest(['run', '-u', '--concurrency', '2'])
    expect(exitCode).toBe(1)
    expect(all).toMatch(/another spec|rewritten a moment ago/)
    expect(all).toContain('1 passed, 1 failed')
    expect(['a', 'b']).toContain(/\n(.)\n```\n$/.exec(await project.read('shared.md'))?.[1])
  })

  test('leaves alone what two scenarios have different output for', async () => {
    const text = `## Shared\n\n${fence('console', '$ echo x >> count; wc -l < count', '0')}`
    const spec = `${including('./shared.md')}# A\n\n${fence('sh', 'true')}\n# B\n\n${fence('sh', 'true')}`
    await using project = await createProject({ 'shared.md': text, 'a.test.md': spec })
    const { all, exitCode } = await project.mdtest(['run', '-u'])
    expect(exitCode).toBe(1)
    expect(all).toContain('this block runs several times, with other output each time')
    expect(all).toContain('shared.md:5:1')
    expect(await project.read('shared.md')).toBe(text)
  })
})
