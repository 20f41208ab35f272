import { execFileSync } from 'node:child_process'
import { lstat, symlink } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { commitAll } from '../support/git-project.ts'
import fc, { anyCharacter } from '../support/fast-check.ts'
import { verdictsOf } from '../support/json-report.ts'
import { lane } from '../support/lane.ts'
import { fence, head, mismatch } from '../support/update-specs.ts'

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
  fc.string({ unit: anyCharacter, maxLength: 4 }),
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

test('any output that `-u` has written matches in the next run, and nothing else has changed', async () => {
  const text = ['---', 'agent: none', '---', '', '# A', '', ...fc.sample(block, 150).flat(), ''].join('\n')
  const long = `${head}# A\n\n${fence('console', "$ head -c 500000 /dev/zero | tr '\\0' x")}\n${fence('console', '$ seq 15000')}`
  await using project = await createProject({ 'any.test.md': text, 'long.test.md': long })
  const first = await project.mdtest(['run', '-u'])
  expect(first.all).toContain('2 passed, 0 failed')
  const written = await project.read('any.test.md')
  const second = await project.mdtest(['run'])
  expect(second.all).toContain('2 passed, 0 failed')
  expect(await project.read('any.test.md')).toBe(written)
  const commands = (all: string): readonly string[] => all.split('\n').filter((line) => line.includes("printf '"))
  expect(commands(written)).toEqual(commands(text))
  expect(written.match(/^ *(`{3,}|~{3,})\w*$/gm)).toEqual(text.match(/^ *(`{3,}|~{3,})\w*$/gm))
  expect((await project.read('long.test.md')).split('\n').length).toBe(long.split('\n').length + 15_001)
})

describe('-u beside agents', () => {
  const config = `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: { command: ['sh', 'agent.sh', '{log}'] } })] }\n`

  test('accepts what a verify block prints, and is not taken for a change by the agent of another spec', async () => {
    const verified = `# Shop\n\nBuy a mug.\n\n${fence('console verify', '$ echo new', 'old')}`
    const files = {
      'vitest.config.js': config,
      // Both wait for each other, so they are at work at the same time.
      'agent.sh': `until grep -q '^new$' a.test.md && grep -q '^new$' shared.md; do sleep 0.1; done
printf -- '---\\nstatus: pass\\n---\\n' > "$1"
`,
      'shared.md': `## Shared\n\n${fence('console run', '$ echo new', 'old')}`,
      'a.test.md': `---\nagent: none\ninclude: [./shared.md]\n---\n\n# A\n\n## Own\n\n${mismatch}`,
      'b.test.md': `---\ninclude: [./shared.md]\n---\n\n# B\n\n## Buy\n\nBuy a mug.\n`,
      'c.test.md': verified,
      '.gitignore': 'node_modules\n*.logs\n.report.json\n',
    }
    await using project = await createProject(files)
    commitAll(project)
    const { stdout } = await project.vitest(['run', '--reporter=json', '-u'])
    expect(verdictsOf(stdout, 'b.test.md')).toEqual(['pass observed', 'pass claimed'])
    expect(verdictsOf(stdout, 'a.test.md')).toEqual(['pass observed', 'pass observed'])
    expect(await project.read('shared.md')).toBe(files['shared.md'].replace('old', 'new'))
    // What is written in this run verifies nothing yet.
    expect(verdictsOf(stdout, 'c.test.md')).toEqual(['pass claimed'])
    expect(stdout).toContain('"rewritten":[{"line":7}]')
    expect(await project.read('c.test.md')).toBe(verified.replace('old', 'new'))
  })
})

describe('-u', () => {
  test('of a watch does the same for one run', async () => {
    const text = `${head}# A\n\n${mismatch}`
    await using project = await createProject({
      'vitest.config.js': plainConfig,
      'a.test.md': text,
      'drive.js': `import { startVitest } from 'vitest/node'
const vitest = await startVitest('test', [], { watch: true, reporters: ['default'] })
console.log("before " + vitest.state.getFailedFilepaths().length)
await vitest.updateSnapshot()
console.log(["after", vitest.state.getFailedFilepaths().length, vitest.snapshot.summary.updated].join(" "))
await vitest.close()
process.exit(0)
`,
    })
    // Under CI nothing is rewritten.
    const env = { PATH: process.env.PATH, HOME: process.env.HOME }
    const shown = execFileSync(lane.node, ['drive.js'], { cwd: project.dir, encoding: 'utf8', stdio: 'pipe', env })
    expect(shown).toContain('before 1')
    expect(shown).toContain('after 0 1')
    expect(await project.read('a.test.md')).toBe(text.replace('old', 'new'))
  })

  test('and inline snapshots take turns', async () => {
    const text = `${head}# A\n\n${fence('console', '$ seq 9', 'old')}\n${fence('ts', 'expect(1).toMatchInlineSnapshot()')}\n${mismatch}`
    await using project = await createProject({ 'vitest.config.js': plainConfig, 'a.test.md': text })
    const first = await project.vitest(['run', '-u'])
    expect(first.all).toContain('Vitest is about to write inline snapshots into this spec')
    const snapshot = text.replace('Snapshot()', 'Snapshot(`1`)')
    expect(await project.read('a.test.md')).toBe(snapshot)
    expect((await project.vitest(['run', '-u'])).exitCode).toBe(0)
    const all = Array.from({ length: 9 }, (_, index) => index + 1).join('\n')
    expect(await project.read('a.test.md')).toBe(snapshot.replace('old', all).replace('old', 'new'))
  })

  test('writes through a link, needs all rows, and leaves what two specs have different output for', async () => {
    const rows = `${head}# A\n\n## Greet\n\n${fence('console', '$ : "<name>"; echo new', 'old')}\n### Examples\n\n| name |\n| ---- |\n| Ada |\n| Bob |\n`
    const sharing = (name: string): string =>
      `---\nagent: none\ncwd: temp\nenv:\n  WHO: ${name}\ninclude: [./shared.md]\n---\n\n# A\n\n## Ada\n\n${fence('sh', 'true')}`
    await using project = await createProject({
      'real/linked.test.md': `${head}# Ada\n\n${mismatch}`,
      'rows.test.md': rows,
      'shared.md': `## Shared\n\n${fence('console', '$ echo "$WHO"', 'old')}`,
      'a.test.md': sharing('a'),
      'b.test.md': sharing('b'),
    })
    await symlink('real/linked.test.md', project.path('linked.test.md'))
    const specs = ['linked', 'rows', 'a', 'b'].map((name) => `${name}.test.md`)
    const { all } = await project.mdtest(['run', '-u', '--concurrency', '4', '-t', 'Ada', ...specs])
    expect(await project.read('real/linked.test.md')).toBe(`${head}# Ada\n\n${mismatch.replace('old', 'new')}`)
    expect((await lstat(project.path('linked.test.md'))).isSymbolicLink()).toBe(true)
    expect(all).toContain('not all of them ran and passed')
    expect(await project.read('rows.test.md')).toBe(rows)
    expect(all).toMatch(/another spec|rewritten a moment ago/)
    expect(['a', 'b']).toContain(/\n(.)\n```\n$/.exec(await project.read('shared.md'))?.[1])
    expect(all).toContain('2 passed, 2 failed')
  })
})
