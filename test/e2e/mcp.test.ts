import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import fc from '../support/fast-check.ts'
import { createRepository, startSession, stubVitest, type McpSession, type Repository } from '../support/mcp-session.ts'
import { processesOfHome } from '../support/processes.ts'

const bin = fileURLToPath(new URL('../../dist/bin.js', import.meta.url))
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
const reports = '.cache/mdtest/reports'

const sums = `import { expect, test } from 'vitest'
test('adds', () => expect(1 + 1).toBe(2))
test('subtracts', () => expect(3 - 1).toBe(1))
test.skip('divides', () => {})
`

describe('run_test with Vitest', () => {
  let repository: Repository
  let session: McpSession
  beforeAll(async () => {
    const config = "export default { test: { watch: true, include: ['sum.test.mjs'] } }\n"
    repository = await createRepository({ 'vitest.config.mjs': config, 'sum.test.mjs': sums })
    symlinkSync(modules, repository.path('node_modules'))
    session = await startSession(repository)
  })
  afterAll(async () => {
    await session[Symbol.asyncDispose]()
    await repository[Symbol.asyncDispose]()
  })

  test('is the only tool, and says what it takes', async () => {
    const { tools } = await session.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['run_test'])
    expect(tools[0]).toMatchObject({
      inputSchema: { additionalProperties: false, properties: { timeout_ms: { minimum: 100, maximum: 3_600_000 } } },
      outputSchema: { type: 'object' },
    })
  })

  test('says what failed, where and with which values, and writes a report', async () => {
    const progress: unknown[] = []
    const onprogress = (told: unknown): void => void progress.push(told)
    const { text, content } = await session.call({ runner: 'vitest', scope: 'all' }, { onprogress })
    expect(content).toMatchObject({
      status: 'fail',
      exit_code: 1,
      counts: { total: 3, passed: 1, failed: 1, skipped: 1 },
      failing_tests: [{ name: 'subtracts', file: 'sum.test.mjs', line: 3, expected: '1', received: '2' }],
      report_dir: expect.stringMatching(/^\.cache\/mdtest\/reports\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/),
    })
    expect(content.excerpt).toContain('AssertionError: expected 2 to be 1')
    expect(text).toContain('1. subtracts (sum.test.mjs:3): expected 1, received 2\n')
    expect(progress).toContainEqual(expect.objectContaining({ total: 100_000, progress: expect.any(Number) }))
    const { raw_log: rawLog, summary_md: markdown, summary_json: json } = content.artifacts
    expect(readFileSync(repository.path(rawLog), 'utf8')).toMatch(/^out\| .*sum\.test\.mjs/m)
    expect(readFileSync(repository.path(markdown), 'utf8')).toContain('# fail: 1 of 3 tests failed, 1 skipped')
    expect(JSON.parse(readFileSync(repository.path(json), 'utf8'))).toMatchObject({
      runner: 'vitest',
      template: 'vitest run',
      argv: expect.arrayContaining(['run']),
      status: 'fail',
      signal: null,
      limits: { timeout_ms: 100_000, no_output_timeout_ms: 100_000, max_output_bytes: 20_000 },
      blocks: expect.arrayContaining([expect.stringContaining('AssertionError')]),
      // The end of either stream: they come on different ways.
      tail: expect.stringMatching(/Tests|sum\.test\.mjs/),
    })
    expect(session.errors).toEqual([])
  })

  test('passes only where a test was executed', async () => {
    const pattern = { runner: 'vitest', scope: 'pattern', report_dir: 'reports' }
    const adds = await session.call({ ...pattern, target: 'adds' })
    expect(adds.content).toMatchObject({ status: 'pass', exit_code: 0, failing_tests: [] })
    expect(adds.content.report_dir).toMatch(/^reports\/\d/)
    const none = await session.call({ ...pattern, target: 'multiplies' })
    expect(none.content).toMatchObject({ status: 'error' })
    expect(none.content.message).toContain('no test matched multiplies')
  })
})

describe('the server', () => {
  /** Test files for the program in the place of Vitest. */
  const files = {
    'sleeps.mjs': "console.log('begun')\nsetTimeout(() => {}, 60_000)\n",
    'ends.mjs': '',
    'waits.mjs': 'setTimeout(() => {}, 300)\n',
    'tells.mjs':
      'console.log(`token ${process.env.DEPLOY_TOKEN}`)\nconsole.error(Error(process.env.DEPLOY_TOKEN).stack)\n',
  }
  let repository: Repository
  const run = (target: string): Record<string, unknown> => ({ runner: 'vitest', scope: 'file', target })
  const env = (): Record<string, string> => ({ HOME: repository.dir, DEPLOY_TOKEN: 'hunter2hunter2' })
  const newestSummary = (): Record<string, unknown> => {
    const stem = readdirSync(repository.path(reports)).toSorted().at(-1)
    return JSON.parse(readFileSync(repository.path(`${reports}/${stem}/summary.json`), 'utf8'))
  }
  const hasBegun = (): boolean => processesOfHome(repository.dir).some((line) => line.includes('sleeps.mjs'))
  beforeAll(async () => {
    repository = await createRepository(files)
    await stubVitest(repository)
  })
  afterAll(() => repository[Symbol.asyncDispose]())

  test('runs one at a time, ends a run that is canceled, keeps the newest reports and no secrets', async () => {
    await using session = await startSession(repository, { args: ['--keep', '2'], env: env() })
    const cancel = new AbortController()
    const sleeping = session.call(run('sleeps.mjs'), { signal: cancel.signal })
    await expect.poll(hasBegun, { timeout: 20_000 }).toBe(true)
    expect(await session.call(run('ends.mjs'))).toMatchObject({
      isError: true,
      text: 'busy: another call of run_test is running tests. Call again when it has returned, or start the server with `--queue`, so that calls wait for their turn.',
    })
    cancel.abort()
    await expect(sleeping).rejects.toThrow()
    await expect.poll(hasBegun, { timeout: 20_000 }).toBe(false)
    await expect.poll(() => newestSummary().message, { timeout: 20_000 }).toBe('It was canceled and ended.')
    // The report is there a moment before the next call is let in.
    let told = await session.call(run('tells.mjs'))
    while (told.isError) told = await session.call(run('tells.mjs'))
    const { content, text } = told
    expect(text).toContain('token ***DEPLOY_TOKEN***')
    const files = Object.values(content.artifacts).map((file) => readFileSync(repository.path(file), 'utf8'))
    for (const file of [...files, JSON.stringify(content)]) {
      expect(file).toContain('***DEPLOY_TOKEN***')
      expect(file).not.toContain('hunter2')
    }
    await session.call(run('ends.mjs'))
    expect(readdirSync(repository.path(reports)).filter((name) => !name.startsWith('.'))).toHaveLength(2)
    expect(session.errors).toEqual([])
  })

  test('lets calls wait with `--queue`, and reports a program that is missing', async () => {
    await using session = await startSession(repository, { args: ['--queue'], env: { ...env(), PATH: '/none' } })
    const answers = await Promise.all([session.call(run('waits.mjs')), session.call(run('ends.mjs'))])
    expect(answers.map(({ content }) => content.exit_code)).toEqual([0, 0])
    const { content } = await session.call({ runner: 'go', scope: 'all' })
    expect(content).toMatchObject({ status: 'error', exit_code: null, counts: null })
    expect(content.message).toContain('Could not start `go`: the program was not found.')
    for (const file of Object.values(content.artifacts)) expect(existsSync(repository.path(file))).toBe(true)
  })

  test('answers what is hostile, and goes on', async () => {
    await using session = await startSession(repository, { env: env() })
    const target = fc.oneof(
      fc.constantFrom('../x', '/etc/passwd', 'a\0', '-x', '$(touch owned)', '.git/x', 'ends.mjs; touch owned', 'C:\\x'),
      fc.string({ unit: 'binary' }),
      fc.anything(),
    )
    const inputs = fc.sample(
      fc.dictionary(fc.constantFrom('scope', 'target', 'report_dir', 'x', 'max_output_bytes'), target),
      100,
    )
    for (const input of inputs) {
      // What no JSON can hold does not reach a server.
      const sent: unknown = JSON.parse(JSON.stringify({ ...run('none.mjs'), ...input }))
      const { isError, text } = await session.call(sent as Record<string, unknown>) // it is an object
      expect(isError).toBe(true)
      expect(text).toMatch(/\.$/)
    }
    expect((await session.call(run('ends.mjs'))).content.exit_code).toBe(0)
    expect(existsSync(repository.path('owned'))).toBe(false)
  })

  test.for([
    ['SIGKILL', 'The run has not come to its end: it is under way, or mdtest was killed.'],
    ['SIGTERM', 'It was canceled and ended.'],
    ['end of input', 'It was canceled and ended.'],
  ] as const)('leaves a report and no process after %s', async ([end, message]) => {
    const session = await startSession(repository, { env: env() })
    const sleeping = session.call(run('sleeps.mjs')).catch(() => undefined)
    await expect.poll(hasBegun, { timeout: 20_000 }).toBe(true)
    if (end === 'end of input') await session.client.close()
    else process.kill(session.pid, end)
    await expect.poll(() => processesOfHome(repository.dir), { timeout: 20_000 }).toEqual([])
    expect(newestSummary()).toMatchObject({ status: 'error', message })
    await session.client.close()
    await sleeping
  })
})

test('mdtest mcp says what it cannot start with, and has help', async () => {
  await using repository = await createRepository({})
  const mcp = (...args: string[]): Promise<object> =>
    execa(process.execPath, [bin, 'mcp', ...args], { cwd: '/', reject: false, input: '' })
  expect(await mcp()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is in no git repository') })
  expect(await mcp('--root', '/none')).toMatchObject({
    exitCode: 2,
    stderr: 'mdtest: `--root /none` is not a directory.',
  })
  expect(await mcp('--keep', '0')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('from 1 to') })
  expect(await mcp('x')).toMatchObject({ exitCode: 2, stdout: '' })
  expect(await mcp('--help')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('--queue') })
  // No client: nothing is written.
  expect(await mcp('--root', repository.dir)).toMatchObject({ exitCode: 0, stdout: '', stderr: '' })
})
