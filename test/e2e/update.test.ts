import { chmod, lstat, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createProject, plainConfig, type Project } from '../support/create-project.ts'

const head = '---\nagent: none\n---\n\n'

/** A fence of the language, with three backticks. */
function fence(language: string, ...lines: readonly string[]): string {
  return ['```' + language, ...lines, '```', ''].join('\n')
}

async function projectOf(text: string): Promise<Project> {
  return createProject({ 'vitest.config.js': plainConfig, 'a.test.md': text })
}

/** What `-u` makes of a spec, which then passes without it. */
async function updated(text: string): Promise<string> {
  await using project = await projectOf(text)
  const first = await project.mdtest(['run', '-u'])
  expect(first.all).toContain('1 passed, 0 failed')
  const after = await project.read('a.test.md')
  const second = await project.mdtest(['run'])
  expect(second.all).toContain('1 passed, 0 failed')
  expect(await project.read('a.test.md')).toBe(after)
  expect(await readdir(project.dir)).not.toContainEqual(expect.stringContaining('.tmp'))
  return after
}

describe('-u', () => {
  test('verifies nothing of what it accepts, and says so', async () => {
    const [script, transcript] = [fence('sh', 'echo new'), fence('console', '$ echo new', 'old', '$ echo same', 'same')]
    const both = [script, fence('stdout', 'old'), transcript].join('\n')
    await using project = await projectOf(
      `${head}# A\n\n## One\n\n${script}\n${fence('output', 'old')}\n## Two\n\n${both}`,
    )
    const { all } = await project.mdtest(['run', '-u'])
    expect(all).toContain('steps: 2 passed: 1 verified, 1 observed')
    expect(all).toContain('unproved: 1 step is compared with nothing but what this run has written.')
    const again = await project.mdtest(['run', '-u'])
    expect(again.all).toContain('steps: 2 passed: 2 verified')
    expect(again.all).not.toContain('unproved')
  })

  test('rewrites what no longer matches and nothing else', async () => {
    const before = `${head}# A\n\n${fence('console', '$ printf "one\\n2\\nthree\\nfour\\n"', 'one', '\\d (re)', 'tree', '...', '$ true', 'gone', '$ echo new')}\n\ttail  \n`
    expect(await updated(before)).toBe(
      before.replace('tree\n...\n', 'three\n...\n').replace('gone\n', '').replace('$ echo new', '$ echo new\nnew'),
    )
  })

  test('rewrites exit codes of transcripts', async () => {
    const before = `${head}# A\n\n${fence('console', '$ echo a; (exit 3)', 'b', '', '$ (exit 4)', '[5]', '', '$ true', '[1]', '', '$ echo "[7]"', '[7]', '[1]', '$ true', '[0]')}`
    expect(await updated(before)).toBe(
      `${head}# A\n\n${fence('console', '$ echo a; (exit 3)', 'a', '[3]', '$ (exit 4)', '[4]', '', '$ true', '$ echo "[7]"', '[7] (equal)', '$ true', '[0]')}`,
    )
  })

  test('fills fences that are empty and adds none', async () => {
    const before = `${head}# A\n\n${fence('sh', 'echo out; echo err >&2')}\n${fence('stdout')}\n${fence('stderr', '')}\n${fence('sh', 'echo unseen')}\n1. - ${fence('sh', 'echo in a list; echo').replaceAll('\n', '\n     ')}\n     ~~~output\n     old\n     ~~~\n`
    expect(await updated(before)).toBe(
      before
        .replace('```stdout\n', '```stdout\nout\n')
        .replace('```stderr\n\n', '```stderr\nerr\n')
        .replace('     old\n', '     in a list\n\n'),
    )
  })

  test('keeps the byte order mark, CRLF and mode of the file', async () => {
    const before = `\uFEFF${head}# A\n\n${fence('console', '$ echo new', 'old')}`.replaceAll('\n', '\r\n')
    await using project = await projectOf(before)
    await chmod(project.path('a.test.md'), 0o640)
    expect((await project.mdtest(['run', '-u'])).exitCode).toBe(0)
    expect(await project.read('a.test.md')).toBe(before.replace('old', 'new'))
    expect((await stat(project.path('a.test.md'))).mode & 0o777).toBe(0o640)
  })

  test('keeps captures, and what recalls them, in lines that match', async () => {
    const before = `${head}# A\n\n${fence('console', '$ printf "id 7\\nb\\n"', 'id {{id:/\\d+/}}', 'a', '$ echo 7 of b', '{{id}} of b')}\n## Next\n\n${fence('console', '$ printf "c\\n7\\n"', 'x', '{{id}}')}`
    expect(await updated(before)).toBe(before.replace('\na\n', '\nb\n').replace('\nx\n', '\nc\n'))
  })

  test('writes through a link and leaves it a link', async () => {
    const text = `${head}# A\n\n${fence('console', '$ echo new', 'old')}`
    await using project = await createProject({ 'real/a.test.md': text })
    await symlink('real/a.test.md', project.path('a.test.md'))
    expect((await project.mdtest(['run', '-u', 'a.test.md'])).exitCode).toBe(0)
    expect(await project.read('real/a.test.md')).toBe(text.replace('old', 'new'))
    expect((await lstat(project.path('a.test.md'))).isSymbolicLink()).toBe(true)
  })
})

describe('-u writes nothing', () => {
  const mismatch = fence('console', '$ echo new', 'old')

  async function refused(
    files: Readonly<Record<string, string>>,
    env: Readonly<Record<string, string>> = {},
    prepare?: (project: Project) => Promise<void>,
  ): Promise<string> {
    await using project = await createProject({ 'vitest.config.js': plainConfig, ...files })
    await prepare?.(project)
    const { all, exitCode } = await project.vitest(['run', '-u'], { env })
    expect(exitCode).toBe(1)
    for (const [name, text] of Object.entries(files)) expect(await project.read(name)).toBe(text)
    return all
  }

  test('under CI', async () => {
    const all = await refused({ 'a.test.md': `${head}# A\n\n${mismatch}` }, { CI: 'true' })
    expect(all).toMatch(/- old\n\+ new/)
    expect(all).toContain('Not rewritten: under CI')
  })

  test('into a file that is read-only', async () => {
    const all = await refused({ 'a.test.md': `${head}# A\n\n${mismatch}` }, {}, (project) =>
      chmod(project.path('a.test.md'), 0o444),
    )
    expect(all).toContain('Not rewritten: the file is read-only.')
  })

  test('that holds a secret', async () => {
    const text = `${head}# A\n\n${fence('console', '$ echo "$TOKEN x"', 'old')}`.replace(
      'agent: none',
      'agent: none\nenv:\n  TOKEN: hunter22hunter',
    )
    const all = await refused({ 'a.test.md': text })
    expect(all).toContain('Not rewritten: The output holds a secret')
    expect(all).not.toContain('hunter22hunter x')
  })

  test('of a step that fails for another reason, and keeps the steps before', async () => {
    const text = `${head}# A\n\n## One\n\n${mismatch}\n## Two\n\n${fence('console timeout=300ms', '$ echo new', 'old', '$ sleep 60')}\n## Three\n\n${mismatch}`
    await using project = await projectOf(text)
    expect((await project.mdtest(['run', '-u'])).exitCode).toBe(1)
    expect(await project.read('a.test.md')).toBe(text.replace('old', 'new'))
  })

  test('of a scenario that a block skips', async () => {
    const text = `${head}# A\n\n${fence('console', '$ echo new', 'old', '$ echo no database; exit 80', 'x')}`
    await using project = await projectOf(text)
    expect((await project.mdtest(['run', '-u', '--pass-with-no-tests'])).exitCode).toBe(0)
    expect(await project.read('a.test.md')).toBe(text)
  })

  test.each([
    ['with expected output', `\n${fence('output', 'old')}`],
    ['alone', ''],
  ])('for a script whose exit code is wrong, %s', async (_title, output) => {
    const all = await refused({ 'a.test.md': `${head}# A\n\n${fence('sh', 'echo new; false')}${output}` })
    expect(all).toContain('ended with exit code 1, expected 0')
  })

  test('where the file changed since it was read', async () => {
    const text = `${head}# A\n\n## One\n\n${mismatch}\n## Two\n\n${fence('sh', 'echo >> a.test.md')}`
    await using project = await projectOf(text)
    const { all, exitCode } = await project.mdtest(['run', '-u'])
    expect(exitCode).toBe(1)
    expect(all).toContain('UPDATE_REFUSED')
    expect(all).toContain('the file has changed since the spec was read')
    expect(all).toContain('a.test.md:11:1')
    expect(await project.read('a.test.md')).toBe(`${text}\n`)
  })

  test('where a later step recalls what would not be captured any more', async () => {
    const all = await refused({
      'a.test.md':
        `${head}# A\n\n## One\n\n${fence('console', '$ echo new', 'old {{name:/.*/}}')}\n## Two\n\n${fence('console', '$ sleep 60; false', '{{name}}')}`.replace(
          'console\n$ sleep',
          'console timeout=300ms\n$ sleep',
        ),
    })
    expect(all).toContain(
      'the spec would have a problem then (line 18: `{{name}}` uses a captured value, but nothing that runs before captures `name`',
    )
  })
})

test('counts what was written as snapshots', async () => {
  const text = `${head}# A\n\n${fence('console', '$ echo new', 'old', '$ echo more')}`
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'a.test.md': text })
  const { all } = await project.vitest(['run', '-u', '--reporter=default'])
  expect(all).toMatch(/Snapshots {2}1 written\n\s+1 updated/)
  await writeFile(project.path('a.test.md'), text)
  const report = JSON.parse((await project.vitest(['run', '-u', '--reporter=json'])).stdout)
  expect(report.snapshot).toMatchObject({ added: 1, updated: 1, filesUpdated: 1, didUpdate: true })
  expect(await readFile(project.path('a.test.md'), 'utf8')).toBe(
    text.replace('old', 'new').replace('more\n', 'more\nmore\n'),
  )
})
