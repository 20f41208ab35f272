import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createProject, plainConfig, type Project } from '../support/create-project.ts'
import { readSpecReports, type SpecReport } from '../support/spec-reports.ts'

const top = '---\nagent: none\n---\n\n'
const block = '```sh\ntrue\n```\n'

/** Nine times nine times … of one word. */
const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]', ...[...'bcdefgh'].map(nineOfTheOneBefore)].join('\n')

function nineOfTheOneBefore(name: string, index: number): string {
  return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefgh'[index]}`).join(',')}]`
}

/** Specs by name, with what their failure has to say and where. */
const bad: Readonly<Record<string, readonly [content: string | Buffer, message: RegExp]>> = {
  big: [`${top}# Big\n\n${block}${'x'.repeat(10e6)}`, /^big\.test\.md:1:1 .*larger than/m],
  nul: [`${top}# A\n\nNUL \0 here\n\n${block}`, /^nul\.test\.md:7:5 .*NUL byte/m],
  'utf-16': [Buffer.from(`\uFEFF${top}# A\n\n${block}`, 'utf16le'), /^utf-16\.test\.md:1:1 .*Save the file as UTF-8/m],
  'invalid-utf-8': [
    Buffer.concat([Buffer.from(`${top}# A \uFFFD`), Buffer.from([0xff, 0xe9]), Buffer.from(`\n\n${block}`)]),
    /^invalid-utf-8\.test\.md:5:6 .*not valid UTF-8/m,
  ],
  'vitest-comment': [
    `${top}${'// @'}vitest-environment nonsense\n\n# A\n\n${block}`,
    /^vitest-comment\.test\.md:5:4 .*instruction to itself/m,
  ],
  'open-fence': [`${top}# A\n\n\`\`\`sh\ntrue\n\n# B\n`, /^open-fence\.test\.md:7:1 .*never closed/m],
  'open-directive': [`${top}# A\n\n<!-- mdtest: skip\n\n${block}`, /^open-directive\.test\.md:7:1 .*not closed/m],
  'open-comment': [`${top}# A\n\n${block}\n<!-- note\n\n${block}`, /^open-comment\.test\.md:11:1 .*not closed/m],
  'matter-list': [`---\n- a\n---\n\n# A\n\n${block}`, /^matter-list\.test\.md:2:1 .*key: value/m],
  'matter-scalar': [`---\njust text\n---\n\n# A\n\n${block}`, /^matter-scalar\.test\.md:2:1 .*key: value/m],
  'matter-bomb': [`---\n${bomb}\n---\n\n# A\n\n${block}`, /^matter-bomb\.test\.md:1:1 .*alias/m],
  'matter-open': [`---\nagent: none\n\n# A\n\n${block}`, /^matter-open\.test\.md:1:1 .*closes it/m],
  'matter-proto': [`---\nagent: none\n__proto__: { a: 1 }\n---\n\n# A\n\n${block}`, /^matter-proto\.test\.md:3:1 /m],
  'matter-alone': [top, /^matter-alone\.test\.md:1:1 .*empty/m],
  empty: ['', /^empty\.test\.md:1:1 .*empty/m],
  blank: [' \n\n\t\n', /^blank\.test\.md:1:1 .*empty/m],
}

/** Odd, but right: each is the tests that it shows. */
const good: Readonly<Record<string, readonly [content: string | Buffer, tests: readonly string[]]>> = {
  bom: [`\uFEFF${top}# A\n\n${block}`, ['A']],
  'windows-lines': [`${top}# A\n\n\`\`\`console\n$ echo hi\nhi\n\`\`\`\n`.replaceAll('\n', '\r\n'), ['A']],
  'windows-output': [`${top}# A\n\n\`\`\`console\n$ printf 'a\\r\\nb\\r\\n'\na\nb\n\`\`\`\n`, ['A']],
  'deep-list': [`${top}# A\n\n${nestedList(100)}\n\n${block}`, ['A']],
  'deep-quote': [`${top}# A\n\n${'> '.repeat(100)}x\n\n${block}`, ['A']],
  'open-brackets': [`${top}# A\n\n${'['.repeat(3000)} ${'*a '.repeat(3000)}\n\n${block}`, ['A']],
  'deep-headings': [`${top}${headings(9)}${block}`, ['H1 > H2 > H3 > H4 > H5 > H6']],
  'huge-matter': [`---\nagent: none\n${extraKeys(2000)}\n---\n\n# A\n\n${block}`, ['A']],
  'heading-in-fence': [`${top}# A\n\n\`\`\`text\n# Not a heading\n\`\`\`\n\n${block}`, ['A']],
  'html-heading': [`${top}# <b onclick="x">A</b> <!-- c -->\n\n<h2>Not</h2>\n\n${block}`, ['A']],
  'replacement-character': [`${top}# A \uFFFD\n\n${block}`, ['A \uFFFD']],
  'vitest-comment-named': [`${top}${'`@'}vitest-environment\` is not for specs.\n\n# A\n\n${block}`, ['A']],
  'vitest-tag': [`${top}${'// @'}module-tag foo\n\n# A\n\n${block}`, ['A']],
  'import-statement': [`${top}# A\n\nimport x from "nowhere"\n\n${block}`, ['A']],
}

function nestedList(depth: number): string {
  return Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}- x`).join('\n')
}

/** A heading has six levels at most; what has more signs is text. */
function headings(count: number): string {
  return Array.from({ length: count }, (_, index) => `${'#'.repeat(index + 1)} H${index + 1}\n\n`).join('')
}

function extraKeys(count: number): string {
  return Array.from({ length: count }, (_, n) => `x-k${n}: ${n}`).join('\n')
}

async function createBadProject(): Promise<Project> {
  const project = await createProject({ 'vitest.config.js': plainConfig })
  const specs = [...Object.entries(bad), ...Object.entries(good)]
  for (const [name, [content]] of specs) await writeFile(project.path(`${name}.test.md`), content)
  await mkdir(project.path('folder.test.md'))
  return project
}

describe('a spec', () => {
  test.for(['vitest', 'mdtest'] as const)(
    'of any content fails with a place, or is what it shows: %s',
    async (program) => {
      await using project = await createBadProject()
      const { exitCode, stdout } = await project[program](['run', '--reporter=json'])
      expect(exitCode).toBe(1)
      const reports = new Map(
        [...readSpecReports(stdout, project.dir)].map(([name, report]) => [name.replace('.test.md', ''), report]),
      )
      expect([...reports.keys()].toSorted()).toEqual([...Object.keys(bad), ...Object.keys(good)].toSorted())
      for (const [name, [, message]] of Object.entries(bad)) {
        expect
          .soft(reports.get(name), name)
          .toMatchObject({ status: 'failed', message: expect.stringMatching(message) })
      }
      for (const [name, [, tests]] of Object.entries(good))
        expect.soft(describeTests(reports.get(name)), name).toEqual(tests)
    },
  )

  test('that is gone when its turn comes fails', async () => {
    await using project = await createProject({
      'a.test.md': `${top}# A\n\n\`\`\`sh\nrm z.test.md\n\`\`\`\n`,
      'z.test.md': `${top}# Z\n\n${block}`,
    })
    const { exitCode, stdout } = await project.mdtest(['run', '--reporter=json'])
    expect(exitCode).toBe(1)
    expect(readSpecReports(stdout, project.dir).get('z.test.md')?.message).toMatch(/z\.test\.md/)
  })

  test('for which Vitest finds no environment is counted as failed', async () => {
    await using project = await createProject({
      'vitest.config.js': plainConfig,
      'a.test.md': `${top}# A\n\n${block}`,
      'b.test.md': `${top}${'// @'}vitest-environment happy-dom\n\n# B\n\n${block}`,
    })
    for (const program of ['vitest', 'mdtest'] as const) {
      const { exitCode, all } = await project[program](['run'])
      expect(all).toContain('happy-dom')
      expect(exitCode).toBe(1)
      if (program === 'vitest') continue
      expect(all).toMatch(/^mdtest: b\.test\.md did not run:\nb\.test\.md:5:4  vitest-comment /m)
      expect(all).toMatch(/^1 passed, 1 failed$/m)
    }
  })

  test('that is a link to no file is counted as failed by `mdtest run`', async () => {
    await using project = await createProject({ 'a.test.md': `${top}# A\n\n${block}` })
    await symlink('nowhere', project.path('dangling.test.md'))
    await symlink('loop.test.md', project.path('loop.test.md'))
    const { exitCode, all } = await project.mdtest(['run'])
    expect(all).toContain('mdtest: dangling.test.md did not run: it is a link to')
    expect(all).toMatch(/^1 passed, 2 failed$/m)
    expect(exitCode).toBe(1)
    const named = await project.mdtest(['run', 'dangling.test.md'])
    expect(named.all).toContain('`dangling.test.md` is not a regular file')
    expect(named.exitCode).toBe(2)
    await rm(project.path('a.test.md'))
    const alone = await project.mdtest(['run'])
    expect(alone.all).toMatch(/^0 passed, 2 failed$/m)
    expect(alone.exitCode).toBe(1)
  })

  test.skipIf(process.getuid?.() === 0)('that may not be read fails (skipped for root, who may)', async () => {
    await using project = await createProject({ 'a.test.md': `${top}# A\n\n${block}` })
    await chmod(project.path('a.test.md'), 0)
    const { exitCode, all } = await project.mdtest(['run'])
    expect(exitCode).not.toBe(0)
    expect(all).toContain('EACCES')
  })
})

/** Names of the passed tests; how it ended where not all have passed. */
function describeTests(report: SpecReport | undefined): readonly string[] {
  if (report?.status !== 'passed') return [report?.status ?? 'missing', report?.message ?? '']
  return report.tests.map(({ titles, status }) => (status === 'passed' ? titles.join(' > ') : status))
}
