import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import { describe, expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { verdictsOf } from '../support/json-report.ts'
import { happensWithin, leftAfter } from '../support/leftovers.ts'
import { passingSpec } from '../support/specs.ts'

const ts = (code: string, words = ''): string => `\`\`\`ts${words}\n${code}\n\`\`\`\n`
const specOf = (...parts: readonly string[]): string => `---\nagent: none\n---\n\n# A\n\n${parts.join('\n')}`

const endless = specOf(
  `## Loops\n\n${ts(`await $\`sleep 300 & echo\`\nwhile (true) {}`, ' timeout=1s')}`,
  `## Comes after\n\n${ts('')}`.replace('ts\n\n', 'ts\n0\n'),
)

describe('a ts block', () => {
  // They wait for most of the time.
  const testBeside = test.concurrent

  testBeside.for(['threads', 'forks'])('that never awaits is ended with its worker: %s', async (pool) => {
    await using project = await createProject({
      'vitest.config.js': plainConfig,
      'endless.test.md': endless,
      'hello.test.md': passingSpec,
    })
    const { all, exitCode } = await project.vitest(['run', `--pool=${pool}`, '--reporter=default'], {
      timeoutMs: 40_000,
    })
    expect(exitCode).toBe(1)
    expect(all).toContain('kept its worker busy beyond the limit of 1000 ms')
    expect(all).toContain('❯ endless.test.md:9:1')
    expect(all).toContain('✓ |mdtest| hello.test.md')
    expect(await leftAfter(project.dir)).toEqual([])
  })

  testBeside('that was left behind and then never awaits is ended as well', async () => {
    const later = ts(`await new Promise((resolve) => setTimeout(resolve, 400))\nwhile (true) {}`, ' timeout=200ms')
    const teardown = '```sh\nsleep 1\n```\n'
    await using project = await createProject({
      'vitest.config.js': plainConfig,
      'later.test.md': specOf(`## Loops\n\n${later}`, `## Teardown\n\n${teardown}`),
    })
    const { all, exitCode } = await project.vitest(['run'], { timeoutMs: 40_000 })
    expect(exitCode).toBe(1)
    expect(all).toContain('kept its worker busy')
    expect(await leftAfter(project.dir)).toEqual([])
  })

  testBeside('that never awaits is no pass for `mdtest run`', async () => {
    await using project = await createProject({ 'endless.test.md': endless })
    const { all, exitCode } = await project.mdtest(['run'], { timeoutMs: 40_000 })
    expect(exitCode).toBe(1)
    expect(all).toContain('kept its worker busy')
    expect(all).toContain('0 passed, 1 failed')
  })

  test('ends with the run when that is interrupted, and the tear-down runs', async () => {
    const waits = ts(`import { writeFileSync } from 'node:fs'\nwriteFileSync('ready', '')\nawait new Promise(() => {})`)
    const down = ts(`await $\`echo "$PWD" > torn-down\``)
    await using project = await createProject({ 'a.test.md': specOf(`## Waits\n\n${waits}`, `## Teardown\n\n${down}`) })
    const running = project.start('mdtest', ['run'], { timeoutMs: 40_000 })
    expect(await happensWithin(20_000, () => existsSync(project.path('ready')))).toBe(true)
    running.kill('SIGINT')
    expect((await running).exitCode).toBe(130)
    expect(await project.read('torn-down')).toBe(`${project.dir}\n`)
    expect(await leftAfter(project.dir)).toEqual([])
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
    const args = ['run', '--inspect=127.0.0.1:0', '--no-file-parallelism', '--reporter=json']
    const { stdout, all } = await project.vitest(args)
    expect(verdictsOf(stdout, 'a.test.md'), all).toEqual(['pass verified'])
    const { url, sourceMapURL } = JSON.parse(await readFile(project.path('script.json'), 'utf8'))
    const map = JSON.parse(Buffer.from(sourceMapURL.split('base64,')[1], 'base64').toString())
    expect(map.sources.map((source: string) => decodeURI(new URL(source, url).pathname))).toEqual([
      project.path('a.test.md'),
    ])
    const markdown = await project.read('a.test.md')
    const lines = markdown.split('\n')
    const originals = originalsOf(map)
    for (const statement of ['const session', 'session.connect', 'const order', 'await new', 'expect(order']) {
      const line = lines.findIndex((text) => text.startsWith(statement))
      expect(originals, statement).toContainEqual([line, 0])
    }
  })

  test('runs anew in watch mode when it or what it imports was changed', async () => {
    const spec = specOf(ts(`import { sum } from './sum.ts'\n\nexpect(sum(1, 2)).toBe(3)`))
    await using project = await createProject({
      'vitest.config.js': plainConfig,
      'a.test.md': spec,
      'sum.ts': 'export const sum = (a: number, b: number) => a + b\n',
    })
    const running = project.start('vitest', ['--watch', '--reporter=verbose'], { timeoutMs: 60_000 })
    let output = ''
    running.all?.on('data', (chunk) => (output += String(chunk)))
    const waitFor = async (text: string): Promise<void> => {
      const isThere = (): boolean => output.includes(text) && /(?:Waiting|Watching) for file changes/.test(output)
      expect(await happensWithin(15_000, isThere), `${text} in ${output}`).toBe(true)
      output = ''
    }
    try {
      await waitFor('steps: 1 passed')
      await project.write('sum.ts', 'export const sum = (a: number, b: number) => a + b + 1\n')
      await waitFor('expected 4 to be 3')
      await project.write('a.test.md', spec.replace('toBe(3)', 'toBe(4)'))
      await waitFor('steps: 1 passed')
      await project.write('a.test.md', spec.replace('expect', '\n\nexpect').replace('toBe(3)', 'toBe(5)'))
      await waitFor('a.test.md:12:1')
    } finally {
      running.kill('SIGTERM')
      await running
    }
  })
})

/** Every line of the source that a segment of the map leads back to, with its column. They count from 0. */
function originalsOf(map: ConstructorParameters<typeof SourceMap>[0]): readonly (readonly [number, number])[] {
  const source = new SourceMap(map)
  return map.mappings.split(';').flatMap((_, line) => {
    const entry = source.findEntry(line, 0)
    return 'originalLine' in entry ? [[entry.originalLine, entry.originalColumn] as const] : [] // a pair, not a list
  })
}
