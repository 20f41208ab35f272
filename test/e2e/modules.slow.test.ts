import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { happensWithin, leftAfter } from '../support/leftovers.ts'
import { scope, scopeFiles } from '../support/module-specs.ts'
import { passingSpec } from '../support/specs.ts'

const farMs = 120_000
const ts = (code: string, words = ''): string => `\`\`\`ts${words}\n${code}\n\`\`\`\n`
const specOf = (...parts: readonly string[]): string => `---\nagent: none\n---\n\n# A\n\n${parts.join('\n')}`

describe('a ts block', () => {
  test.for(['--pool=forks', '--pool=vmThreads'])('has all in scope with %s', async (flag) => {
    await using project = await createProject(scopeFiles)
    const { stdout, all } = await project.vitest(['run', '--reporter=json', flag])
    const tests = readJsonReport(stdout)['a b.test.md'] ?? []
    expect(
      tests.map(({ name, outcome, messages }) => [name, outcome, ...(messages ?? [])]),
      all,
    ).toEqual(scope)
  })

  test.for(['threads', 'forks'])(
    'that never awaits is ended with its worker, also when left behind: %s',
    async (pool) => {
      const loops = ts(`await $\`sleep 300 & echo\`\nwhile (true) {}`, ' timeout=1s')
      // It loops when its time is over and the tear-down is under way.
      const later = ts(
        `import { writeFileSync } from 'node:fs'\nawait new Promise((resolve) => setTimeout(resolve, 5400))\nwriteFileSync('looping', '')\nwhile (true) {}`,
        ' timeout=5s',
      )
      const teardown = 'until test -e looping; do sleep 0.1; done; sleep 1'
      await using project = await createProject({
        'vitest.config.js': plainConfig,
        'endless.test.md': specOf(`## Loops\n\n${loops}`, `## Comes after\n\n${ts('0')}`),
        'later.test.md': specOf(`## Loops\n\n${later}`, `## Teardown\n\n\`\`\`sh\n${teardown}\n\`\`\`\n`),
        'hello.test.md': passingSpec,
      })
      const { all, exitCode } = await project.vitest(['run', `--pool=${pool}`, '--reporter=default'])
      expect(exitCode).toBe(1)
      expect(all).toContain('kept its worker busy beyond the limit of 1000 ms')
      expect(all).toContain('kept its worker busy beyond the limit of 5000 ms')
      expect(all).toContain('❯ endless.test.md:9:1')
      expect(all).toContain('✓ |mdtest| hello.test.md')
      expect(await leftAfter(project.dir, farMs)).toEqual([])
      if (pool === 'forks') return
      const own = await project.mdtest(['run', 'endless.test.md'])
      expect(own.all).toContain('0 passed, 1 failed')
    },
  )

  test('ends with the run when that is interrupted, and the tear-down runs', async () => {
    const waits = ts(`import { writeFileSync } from 'node:fs'\nwriteFileSync('ready', '')\nawait new Promise(() => {})`)
    const down = ts(`await $\`echo "$PWD" > torn-down\``)
    await using project = await createProject({ 'a.test.md': specOf(`## Waits\n\n${waits}`, `## Teardown\n\n${down}`) })
    const running = project.start('mdtest', ['run'])
    expect(await happensWithin(farMs, () => existsSync(project.path('ready')))).toBe(true)
    running.kill('SIGINT')
    expect((await running).exitCode).toBe(130)
    expect(await project.read('torn-down')).toBe(`${project.dir}\n`)
    expect(await leftAfter(project.dir, farMs)).toEqual([])
  })

  test('has no limit while a debugger may hold it, and its source map leads to the markdown', async () => {
    const code = `import { Session } from 'node:inspector'
import { writeFileSync } from 'node:fs'
interface Order { id: number }
const session = new Session()
session.connect()
session.on('Debugger.scriptParsed', ({ params }: { params: { url: string; sourceMapURL?: string } }) => {
  if (params.url.includes('.mdtest-')) writeFileSync('script.json', JSON.stringify(params))
})
session.post('Debugger.enable')

const order = { id: 7 } as Order
await new Promise((resolve) => setTimeout(resolve, 600))
expect(order.id).toBe(7)`
    await using project = await createProject({
      'vitest.config.js': plainConfig,
      'a.test.md': specOf(ts(code, ' timeout=200ms')),
    })
    const args = ['run', '--reporter=json', '--inspect=127.0.0.1:0', '--no-file-parallelism']
    const { stdout, all } = await project.vitest(args)
    expect(verdictsOf(stdout, 'a.test.md'), all).toEqual(['pass verified'])
    const { url, sourceMapURL } = JSON.parse(await readFile(project.path('script.json'), 'utf8'))
    const map = JSON.parse(Buffer.from(sourceMapURL.split('base64,')[1], 'base64').toString())
    expect(map.sources.map((source: string) => decodeURI(new URL(source, url).pathname))).toEqual([
      project.path('a.test.md'),
    ])
    const lines = (await project.read('a.test.md')).split('\n')
    const originals = originalsOf(map)
    for (const statement of ['const session', 'session.connect', 'const order', 'await new', 'expect(order']) {
      const line = lines.findIndex((text) => text.startsWith(statement))
      expect(originals, statement).toContainEqual([line, 0])
    }
  })
})

test('under CI no snapshot is written, and one that an update has written is no proof', async () => {
  const step = (title: string, code: string): string => `## ${title}\n\n${ts(code)}`
  const spec = specOf(
    step('File', `await expect('text').toMatchFileSnapshot('./text.txt')`),
    step('Inline', `expect(5).toMatchInlineSnapshot()`),
    step('Throw', `expect(() => { throw new Error('no') }).toThrowErrorMatchingSnapshot()`),
  )
  await using project = await createProject({ 'shop.test.md': spec })
  const ci = await project.mdtest(['run'], { env: { CI: '1' } })
  expect(ci.exitCode, ci.all).toBe(1)
  expect([await project.read('shop.test.md'), existsSync(project.path('text.txt'))]).toEqual([spec, false])
  const strict = await project.mdtest(['run', '-u', '--min-assurance', 'verified'])
  expect(strict.exitCode).toBe(1)
  expect(strict.all).toContain(
    'ASSURANCE_TOO_LOW: The pass is `observed` only, and `verified` is needed. This run itself wrote',
  )
})

test('`vitest-mdtest/blocks` declares what blocks find in scope, for type checkers', async () => {
  await using project = await createProject({
    'good.ts': `const { stdout, exitCode } = await $\`echo \${1} \${['a', 'b']}\`
const text: string = await readFile('a.txt')
captures.set(dir, stdout + text)
expect(exitCode + (await $.nothrow\`false\`).exitCode).toBe(1)
export {}
`,
    'bad.ts': `captures.set('id', 5)
await $\`echo \${undefined}\`
expect(1).toBee(1)
export {}
`,
  })
  const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck']
  const args = [tsc, ...flags, '--types', 'vitest-mdtest/blocks', 'good.ts', 'bad.ts']
  const { stdout } = await execa(process.execPath, args, { cwd: project.dir, reject: false })
  expect(stdout.match(/^\w+\.ts\(\d+/gm)).toEqual(['bad.ts(1', 'bad.ts(2', 'bad.ts(3'])
})

/** Every line of the source that a segment of the map leads back to, with its column. They count from 0. */
function originalsOf(map: ConstructorParameters<typeof SourceMap>[0]): readonly (readonly [number, number])[] {
  const source = new SourceMap(map)
  return map.mappings.split(';').flatMap((_, line) => {
    const entry = source.findEntry(line, 0)
    return 'originalLine' in entry ? [[entry.originalLine, entry.originalColumn] as const] : [] // a pair, not a list
  })
}
