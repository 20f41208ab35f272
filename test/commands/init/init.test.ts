import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { init } from '../../../src/commands/init/init.ts'

interface Initialized {
  readonly text: string
  readonly files: Readonly<Record<string, string>>
  /** Does the same once more, and gives what it says. */
  again(): Promise<string>
}

/** What `mdtest init` makes of these files. */
async function initialize(files: Readonly<Record<string, string>>, ...args: string[]): Promise<Initialized> {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-init-')))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
  const run = async (): Promise<string> => {
    let text = ''
    const stdout = new Writable({ write: (chunk: Buffer, _, done) => ((text += chunk.toString()), done()) })
    const streams = { stdin: Readable.from([]), stdout, stderr: stdout }
    await init(args, { cwd, env: {}, ...streams, signal: new AbortController().signal })
    return text
  }
  const text = await run()
  const names = readdirSync(cwd, { recursive: true, encoding: 'utf8', withFileTypes: true }).filter((each) =>
    each.isFile(),
  )
  const found = names.map(({ name, parentPath }): [string, string] => {
    const file = join(parentPath, name)
    return [file.slice(cwd.length + 1), readFileSync(file, 'utf8')]
  })
  return { text, files: Object.fromEntries(found), again: run }
}

const manifest = (more: object): string => JSON.stringify({ name: 'p', ...more })
const withVitest = manifest({ devDependencies: { vitest: '4', 'vitest-mdtest': '1' } })

test.each<readonly [string, Readonly<Record<string, string>>, readonly string[]]>([
  ['an empty folder', {}, ['.gitignore', 'example.test.md']],
  ['a project of another language', { 'go.mod': '' }, ['.gitignore', 'example.test.md', 'go.mod']],
  [
    'a new project',
    { 'package.json': manifest({}) },
    ['.gitignore', 'example.test.md', 'package.json', 'vitest.config.mjs'],
  ],
  [
    'one of ES modules',
    { 'package.json': manifest({ type: 'module' }) },
    ['.gitignore', 'example.test.md', 'package.json', 'vitest.config.js'],
  ],
  [
    'one in TypeScript',
    { 'package.json': manifest({}), 'tsconfig.json': '{}' },
    ['.gitignore', 'example.test.md', 'package.json', 'tsconfig.json', 'vitest.config.mts'],
  ],
  [
    'one with specs',
    { 'package.json': withVitest, 'docs/größe.test.md': '# A\n', '.gitignore': '*.logs\r\n' },
    ['.gitignore', 'docs/größe.test.md', 'package.json', 'vitest.config.mjs'],
  ],
  [
    'one with Jest',
    { 'package.json': manifest({ devDependencies: { jest: '30' } }) },
    ['.gitignore', 'example.test.md', 'jest.config.js', 'package.json'],
  ],
  [
    'a manifest that is no JSON',
    { 'package.json': '{' },
    ['.gitignore', 'example.test.md', 'package.json', 'vitest.config.mjs'],
  ],
])('%s gets what it has not, and nothing the second time', async (_, files, expected) => {
  const made = await initialize(files)
  expect(Object.keys(made.files).toSorted()).toEqual([...expected].toSorted())
  for (const [name, text] of Object.entries(files)) {
    if (name !== '.gitignore') expect(made.files[name]).toBe(text)
  }
  expect(await made.again()).toMatch(/^Nothing to do: /)
})

test('only logs that nobody ignores yet are ignored, in the form of the file', async () => {
  const ignore = async (text: string): Promise<string | undefined> =>
    (await initialize({ '.gitignore': text })).files['.gitignore']
  expect(await ignore('a\r\nb')).toBe('a\r\nb\r\n*.logs/\r\n')
  expect(await ignore('a\n')).toBe('a\n*.logs/\n')
  expect(await ignore('')).toBe('*.logs/\n')
  expect(await ignore('  **/*.logs/  \n')).toBe('  **/*.logs/  \n')
})

test('a dry run says the same and writes nothing', async () => {
  const { text, files } = await initialize({ 'package.json': withVitest }, '--dry-run')
  expect(Object.keys(files)).toEqual(['package.json'])
  expect(text).toContain('would create vitest.config.mjs')
  expect(text).not.toContain('npm i -D')
})

test('who has not the package is told to install it', async () => {
  expect((await initialize({ 'package.json': manifest({}) })).text).toContain('npm i -D vitest vitest-mdtest')
  expect((await initialize({})).text).not.toContain('npm i -D')
})

test.each([
  ['a path', {}, ['src'], 'takes no paths'],
  ['Jest in a manifest', { 'package.json': manifest({ jest: {} }) }, [], 'the key `jest` of `package.json`'],
  ['Jest in JSON', { 'package.json': manifest({}), 'jest.config.json': '{}' }, [], '`jest.config.json`'],
  [
    'a project of a workspace',
    {
      'package.json': withVitest,
      'vitest.config.ts': "import { defineProject } from 'vitest/config'\nexport default defineProject({})\n",
    },
    [],
    'configures one project of a workspace',
  ],
  [
    'what is hidden',
    { 'package.json': withVitest, 'vitest.config.ts': 'export default { ...base }\n' },
    [],
    'Nothing was changed',
  ],
])('%s is refused, and nothing is done', async (_, files, args, message) => {
  await expect(initialize(files, ...args)).rejects.toThrow(message)
})

test('specs of another tool are taken where they are, and no example is made', async () => {
  const spec = '# a\n\n## Purpose\nA.\n\n## Requirements\n'
  const atRoot = await initialize({ 'package.json': withVitest, 'openspec/specs/a/spec.md': spec })
  expect(Object.keys(atRoot.files).toSorted()).toEqual([
    '.gitignore',
    'openspec/specs/a/spec.md',
    'package.json',
    'vitest.config.mjs',
  ])
  expect(atRoot.files['vitest.config.mjs']).toContain(
    "plugins: [mdtest({ dialects: { openspec: ['openspec/specs/**/spec.md'] } })],",
  )
  expect(atRoot.text).toContain('openspec/specs/**/spec.md')
  expect(atRoot.files['openspec/specs/a/spec.md']).toBe(spec)
  expect(await atRoot.again()).toContain('Nothing to do')
  const config = "import { defineConfig } from 'vitest/config'\n\nexport default defineConfig({ plugins: [] })\n"
  const below = await initialize({
    'package.json': withVitest,
    'vitest.config.ts': config,
    'packages/a/openspec/specs/a/spec.md': spec,
  })
  expect(below.files['vitest.config.ts']).toContain(
    "mdtest({ dialects: { openspec: ['**/openspec/specs/**/spec.md'] } })",
  )
})
