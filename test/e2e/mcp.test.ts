import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkVitest } from '../support/fix-project.ts'
import {
  createRepository,
  farMs,
  hasBegun,
  newestSummary,
  reports,
  startSession,
  stubbedFiles,
  stubbedRun,
  stubVitest,
  type McpSession,
  type Repository,
} from '../support/mcp-session.ts'

// More of it: mcp.slow.test.ts.

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
    linkVitest(repository.path)
    session = await startSession(repository)
  })
  afterAll(async () => {
    await session[Symbol.asyncDispose]()
    await repository[Symbol.asyncDispose]()
  })

  test('says what failed, where and with which values, and writes a report', async () => {
    const { tools } = await session.client.listTools()
    expect(tools).toMatchObject([
      { name: 'run_test', inputSchema: { additionalProperties: false }, outputSchema: { type: 'object' } },
    ])
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
    expect(progress).toContainEqual(expect.objectContaining({ total: 250_000, progress: expect.any(Number) }))
    const { raw_log: rawLog, summary_md: markdown, summary_json: json } = content.artifacts
    expect(readFileSync(repository.path(rawLog), 'utf8')).toMatch(/^out\| .*sum\.test\.mjs/m)
    expect(readFileSync(repository.path(markdown), 'utf8')).toContain('# fail: 1 of 3 tests failed, 1 skipped')
    expect(JSON.parse(readFileSync(repository.path(json), 'utf8'))).toMatchObject({
      runner: 'vitest',
      template: 'vitest run',
      argv: expect.arrayContaining(['run']),
      status: 'fail',
      signal: null,
      limits: { timeout_ms: 250_000, no_output_timeout_ms: 250_000, max_output_bytes: 20_000 },
      blocks: expect.arrayContaining([expect.stringContaining('AssertionError')]),
      // The end of either stream: they come on different ways.
      tail: expect.stringMatching(/Tests|sum\.test\.mjs/),
    })
    expect(session.errors).toEqual([])
  })

  test('runs what failed and what changes concern, as often as asked', async () => {
    const failed = await session.call({ runner: 'vitest', scope: 'failed', repeat: 2 })
    expect(failed.content).toMatchObject({
      status: 'fail',
      counts: { total: 3, passed: 0, failed: 1, skipped: 2 },
      ran: 'failed tests, by ^(?:subtracts)$',
      repeated: { runs: 2, passed: 0, failures: [{ name: 'subtracts', file: 'sum.test.mjs', failed: 2 }] },
    })
    expect(failed.text).toContain('0 of 2 runs passed: subtracts failed in 2.')
    execFileSync('git', ['init', '-q', '--template='], { cwd: repository.path('.') })
    const changed = await session.call({ runner: 'vitest', scope: 'changed' })
    expect(changed.content).toMatchObject({
      counts: { total: 3 },
      ran: 'tests affected by uncommitted changes (--changed)',
    })
    execFileSync('git', ['add', '.'], { cwd: repository.path('.') })
    const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org']
    execFileSync('git', [...identity, 'commit', '-qm', 'first'], { cwd: repository.path('.') })
    const clean = await session.call({ runner: 'vitest', scope: 'changed' })
    expect(clean.content).toMatchObject({ counts: { total: 3 }, ran: 'all tests: uncommitted changes affect none' })
    const none = await session.call({ runner: 'jest', scope: 'failed' })
    expect(none).toMatchObject({ isError: true, text: expect.stringContaining('there is no report of jest') })
  })

  test('passes only where a test was executed', async () => {
    const none = await session.call({ runner: 'vitest', scope: 'pattern', target: 'multiplies', report_dir: 'reports' })
    expect(none.content).toMatchObject({ status: 'error' })
    expect(none.content.report_dir).toMatch(/^reports\/\d/)
    expect(none.content.message).toContain('No test matched multiplies')
    const failed = await session.call({ runner: 'vitest', scope: 'failed', report_dir: 'reports' })
    expect(failed.text).toContain('no test failed, but the run ended as `error`')
  })
})

test('the server runs one at a time, ends a run that is canceled, keeps the newest reports and no secrets', async () => {
  await using repository = await createRepository(stubbedFiles)
  await stubVitest(repository)
  const env = { HOME: repository.dir, DEPLOY_TOKEN: 'hunter2hunter2' }
  await using session = await startSession(repository, { args: ['--keep', '2'], env })
  const cancel = new AbortController()
  const sleeping = session.call(stubbedRun('sleeps.mjs'), { signal: cancel.signal })
  await expect.poll(() => hasBegun(repository), { timeout: farMs }).toBe(true)
  expect(await session.call(stubbedRun('ends.mjs'))).toMatchObject({
    isError: true,
    text: 'busy: another call of run_test is running tests. Call again when it has returned, or start the server with `--queue`, so that calls wait for their turn.',
  })
  cancel.abort()
  await expect(sleeping).rejects.toThrow()
  await expect.poll(() => hasBegun(repository), { timeout: farMs }).toBe(false)
  await expect.poll(() => newestSummary(repository).message, { timeout: farMs }).toBe('It was canceled and ended.')
  // The report is there a moment before the next call is let in.
  let told = await session.call(stubbedRun('tells.mjs'))
  while (told.isError) told = await session.call(stubbedRun('tells.mjs'))
  const { content, text } = told
  expect(text).toContain('token ***DEPLOY_TOKEN***')
  const files = Object.values(content.artifacts).map((file) => readFileSync(repository.path(file), 'utf8'))
  for (const file of [...files, JSON.stringify(content)]) {
    expect(file).toContain('***DEPLOY_TOKEN***')
    expect(file).not.toContain('hunter2')
  }
  await session.call(stubbedRun('ends.mjs'))
  expect(readdirSync(repository.path(reports)).filter((name) => !name.startsWith('.'))).toHaveLength(2)
  expect(session.errors).toEqual([])
})
