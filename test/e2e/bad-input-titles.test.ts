import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createProject, plainConfig, type Project } from '../support/create-project.ts'
import { readSpecReports } from '../support/spec-reports.ts'

/** As written, and as it has to appear. */
const titles: readonly (readonly [written: string, title: string])[] = [
  ['say "it\'s" a ``x`y``', 'say "it\'s" a x`y'],
  ['"double" \'single\' \\`tick\\`', '"double" \'single\' `tick`'],
  ['costs ${process.exit(1)} or $5 $name', 'costs ${process.exit(1)} or $5 $name'],
  ['${a} "b" \'c\'', '${a} "b" \'c\''],
  ['${a} "b" \'c\' \\`d\\`', '${a} "b" \'c\' `d`'],
  ['emoji 👩‍👩‍👧 😀', 'emoji 👩‍👩‍👧 😀'],
  ['שלום مرحبا', 'שלום مرحبا'],
  ['\u202Eoverride', '\u202Eoverride'],
  ['back\\\\slash \\\\n \\\\u0041', 'back\\slash \\n \\u0041'],
  ['trailing \\\\', 'trailing \\'],
  ['*/ // end', '*/ // end'],
  ['100% of %s and %d %%', '100% of %s and %d %%'],
  ['a > b > c', 'a > b > c'],
  ['x'.repeat(1000), 'x'.repeat(1000)],
  ['**bold** and [link](http://x)', 'bold and link'],
  ['<b>tag</b> and &amp; entity', 'tag and & entity'],
  ['(a|b)* [c]+ ^d$', '(a|b)* [c]+ ^d$'],
  ['control \u0007 bell', 'control \u0007 bell'],
  ['line\u2028separator', 'line separator'],
  ['__proto__', 'proto'],
  ['\\_\\_proto\\_\\_', '__proto__'],
  ['constructor', 'constructor'],
  ['{"json": [1]}', '{"json": [1]}'],
  ['<%= x %> {{y}} #{z}', '<%= x %> {{y}} #{z}'],
  ['equal', 'equal'],
  ['equal', 'equal (2)'],
  ['equal (2)', 'equal (2) (2)'],
  ['skip', 'skip'],
  ['\\# hash \\#', '# hash #'],
]

const expected = titles.map(([, title]) => title)
const section = ([written]: readonly [string, string]): string => `## ${written}\n\n\`\`\`sh\ntrue\n\`\`\`\n`
const spec = `---\nagent: none\n---\n\n# Odd\n\n${titles.map(section).join('\n')}\n## Plain\n\n\`\`\`sh\ntrue\n\`\`\`\n`

function createOddProject(): Promise<Project> {
  return createProject({ 'vitest.config.js': plainConfig, 'odd.test.md': spec })
}

async function listNames(project: Project, flags: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await project.vitest(['list', '--json', ...flags])
  const names = z.array(z.object({ name: z.string() })).parse(JSON.parse(stdout))
  return names.map(({ name }) => name.replace(/^Odd > /, ''))
}

describe('titles', () => {
  test('of any characters appear unchanged in the JSON report and are found by `-t`', async () => {
    await using project = await createOddProject()
    const all = await project.vitest(['run', '--reporter=json'])
    const tests = readSpecReports(all.stdout, project.dir).get('odd.test.md')?.tests ?? []
    expect(tests.map((each) => each.titles)).toEqual([...expected, 'Plain'].map((title) => ['Odd', title]))
    expect(all.exitCode).toBe(0)
    const pattern = `Odd (> )?(${expected.map(escape).join('|')})$`
    const some = await project.vitest(['run', '--reporter=json', '-t', pattern])
    const found = readSpecReports(some.stdout, project.dir).get('odd.test.md')?.tests ?? []
    expect(found.filter(({ status }) => status === 'passed').map((each) => each.titles[1])).toEqual(expected)
  })

  test('are listed unchanged, without running anything too, but for what a literal must escape', async () => {
    await using project = await createOddProject()
    expect(await listNames(project, ['--no-static-parse'])).toEqual([...expected, 'Plain'])
    // The default of Vitest 5 reads the text between the quotes of a literal: backslashes, control characters, and all three quotes in one
    // title stay escaped.
    const needsEscape = (title: string): boolean =>
      /[\\\u0000-\u001F]/.test(title) || (title.includes('"') && title.includes("'") && /`|\$\{/.test(title))
    const listed = await listNames(project, ['--static-parse'])
    expect(listed).toHaveLength(expected.length + 1)
    expect(listed).toEqual(expect.arrayContaining(expected.filter((title) => !needsEscape(title))))
  })
})

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
