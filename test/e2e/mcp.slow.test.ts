import { execFileSync, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  createRepository,
  farMs,
  hasBegun,
  newestSummary,
  startSession,
  stubbedFiles,
  stubbedRun,
  stubVitest,
  type McpSession,
  type Repository,
} from '../support/mcp-session.ts'
import { linkVitest } from '../support/fix-project.ts'
import { processesOfHome } from '../support/processes.ts'

const bin = fileURLToPath(new URL('../../dist/bin.js', import.meta.url))

describe('the server', () => {
  let repository: Repository
  let env: Readonly<Record<string, string>>
  beforeAll(async () => {
    repository = await createRepository(stubbedFiles)
    env = { HOME: repository.dir }
    await stubVitest(repository)
  })
  afterAll(() => repository[Symbol.asyncDispose]())

  test.for([
    ['the wrapper that started it', '"$@"; true', 'later'],
    ['that wrapper, before the server looks at it', '"$@"; true', 'at once'],
    ['the client above that wrapper', `sh -c '"$@"; true' sh "$@"; true`, 'later'],
  ] as const)('ends when %s dies, although somebody holds its standard input open', async ([, script, when]) => {
    const pipe = repository.path(`pipe-${script.length}-${when}`)
    execFileSync('mkfifo', [pipe])
    const held = openSync(pipe, 'r+')
    onTestFinished(() => closeSync(held))
    const wrapped = ['-c', script, 'sh', process.execPath, bin, 'mcp']
    const wrapper = spawn('sh', wrapped, {
      cwd: repository.dir,
      env: { ...process.env, ...env },
      stdio: [held, 'pipe', 'ignore'],
      detached: true, // its own session: in a container, the new parent can be in ours
    })
    writeSync(held, `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`)
    if (when === 'later') await new Promise((resolve) => wrapper.stdout?.once('data', resolve))
    else await sleep(30)
    wrapper.kill('SIGKILL')
    const isClosed = new Promise((resolve) => wrapper.stdout?.once('close', () => resolve(true)))
    expect(await Promise.race([isClosed, sleep(5_000)])).toBe(true)
  })

  test('lets calls wait with `--queue`, and reports a program that is missing', async () => {
    await using session = await startSession(repository, { args: ['--queue'], env: { ...env, PATH: '/none' } })
    const answers = await Promise.all([session.call(stubbedRun('waits.mjs')), session.call(stubbedRun('ends.mjs'))])
    expect(answers.map(({ content }) => content.exit_code)).toEqual([0, 0])
    const { content } = await session.call({ runner: 'go', scope: 'all' })
    expect(content).toMatchObject({ status: 'error', exit_code: null, counts: null })
    expect(content.message).toBe('`go` is not installed: `brew install go` or `apt install golang`.')
    for (const file of Object.values(content.artifacts)) expect(existsSync(repository.path(file))).toBe(true)
  })

  test.for([
    ['SIGKILL', 'The run has not come to its end: it is under way, or mdtest was killed.'],
    ['SIGTERM', 'It was canceled and ended.'],
    ['end of input', 'It was canceled and ended.'],
  ] as const)('leaves a report and no process after %s', async ([end, message]) => {
    const session = await startSession(repository, { env })
    const sleeping = session.call(stubbedRun('sleeps.mjs')).catch(() => undefined)
    await expect.poll(() => hasBegun(repository), { timeout: farMs }).toBe(true)
    if (end === 'end of input') await session.client.close()
    else process.kill(session.pid, end)
    await expect.poll(() => processesOfHome(repository.dir), { timeout: farMs }).toEqual([])
    expect(newestSummary(repository)).toMatchObject({ status: 'error', message })
    await session.client.close()
    await sleeping
  })
})

test('of a run that is ended, what failed and what had begun is told', async () => {
  await using repository = await createRepository({
    'a.test.mjs': `import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
test('subtracts', () => expect(3 - 1).toBe(1))
describe('never', () => test('ends', () => (writeFileSync('begun', ''), new Promise(() => setInterval(() => {}, 1000))), 1e6))
`,
  })
  linkVitest(repository.path)
  await using session = await startSession(repository)
  const cancel = new AbortController()
  const hanging = session.call({ runner: 'vitest', scope: 'all' }, { signal: cancel.signal })
  await expect.poll(() => existsSync(repository.path('begun')), { timeout: farMs }).toBe(true)
  await sleep(1_000)
  cancel.abort()
  await expect(hanging).rejects.toThrow()
  await expect
    .poll(() => newestSummary(repository), { timeout: farMs })
    .toMatchObject({
      message: 'It was canceled and ended. Begun and not finished: a.test.mjs > never > ends.',
      counts: { total: 1, failed: 1 },
      failing_tests: [{ name: 'subtracts', file: 'a.test.mjs', line: 3, expected: '1', received: '2' }],
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

const fixture = (name: string, ...args: string[]): string =>
  `process.argv.splice(2, Infinity, ...${JSON.stringify(args)})\nawait import(${JSON.stringify(fileURLToPath(new URL(`../../fixtures/bin/${name}`, import.meta.url)))})\n`

/** What hangs, and the status it ends with where each limit is far but that of the case. */
const cases = {
  sleeps: { program: fixture('forever.mjs'), limit: { no_output_timeout_ms: 500 }, status: 'no_output' },
  'ignores SIGTERM': { program: fixture('ignores-sigterm.mjs'), limit: { timeout_ms: 700 }, status: 'timeout' },
  'forks into a session of its own': {
    program: fixture('double-forks.mjs', 'stay'),
    limit: { timeout_ms: 1000 },
    status: 'timeout',
  },
  'ends, and what it forked stays': {
    program: fixture('double-forks.mjs'),
    limit: {},
    status: 'error',
    exitCode: 0,
  },
  'reads standard input': {
    program: "process.stdin.on('end', () => process.exit(7)).resume()\nsetTimeout(() => {}, 600_000)\n",
    limit: {},
    status: 'error',
    exitCode: 7,
  },
  'watches unless told not to': {
    program: "setTimeout(() => {}, process.env.CI === 'true' ? 0 : 600_000)\n",
    limit: {},
    status: 'error',
    exitCode: 0,
  },
  'prints 100 MB at full speed': {
    program: fixture('floods-output.mjs', '100'),
    limit: {},
    status: 'error',
    exitCode: 0,
  },
  'prints without end': {
    program: fixture('floods-output.mjs', '1000000'),
    limit: { timeout_ms: 1500 },
    status: 'timeout',
  },
  'prints one endless line': {
    program: fixture('endless-line.mjs', '1000000'),
    limit: { timeout_ms: 3000 },
    status: 'timeout',
  },
} as const // names of limits and statuses

/** Millions of lines in a second: they take more memory than their bytes, so it comes last. */
const emptyLines = {
  program: `import { writeSync } from 'node:fs'
const lines = Buffer.alloc(65_536, '\\n')
for (;;) {
  try {
    writeSync(1, lines)
  } catch (error) {
    if (error.code !== 'EAGAIN') throw error
  }
}
`,
  limit: { timeout_ms: 2000 },
  status: 'timeout',
} as const

function peakKiB(pid: number): number {
  if (process.platform !== 'linux') return 0
  const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(peak)
}

describe('run_test returns, and nothing stays, when the test runner', () => {
  let repository: Repository
  let session: McpSession
  let peakAtStartKiB: number
  beforeAll(async () => {
    const programs = [...Object.values(cases), emptyLines].map(({ program }, index) => [`${index}.mjs`, program])
    repository = await createRepository(Object.fromEntries(programs))
    await stubVitest(repository)
    session = await startSession(repository, { env: { HOME: repository.dir } })
    peakAtStartKiB = peakKiB(session.pid)
  })
  afterAll(async () => {
    await session[Symbol.asyncDispose]()
    await repository[Symbol.asyncDispose]()
  })

  test.for(Object.entries(cases))('%s', async ([name, { limit, status, ...rest }]) => {
    const target = `${Object.keys(cases).indexOf(name)}.mjs`
    const { content } = await session.call({ runner: 'vitest', scope: 'file', target, ...limit })
    expect(content).toMatchObject({ status, exit_code: 'exitCode' in rest ? rest.exitCode : null })
    const summary: unknown = JSON.parse(readFileSync(repository.path(content.artifacts.summary_json), 'utf8'))
    expect(summary).toMatchObject({ status })
    // The server itself, and what starts programs for it.
    await expect.poll(() => processesOfHome(repository.dir).length, { timeout: farMs }).toBe(2)
  })

  // The endless programs print gigabytes: 200 MB are far more than noise and far less than their output.
  test.runIf(process.platform === 'linux')('and the server has stayed small', () => {
    expect(peakKiB(session.pid) - peakAtStartKiB).toBeLessThan(200_000)
  })

  test('prints empty lines without end', async () => {
    const { limit, status } = emptyLines
    const target = `${Object.keys(cases).length}.mjs`
    const { content } = await session.call({ runner: 'vitest', scope: 'file', target, ...limit })
    expect(content).toMatchObject({ status, exit_code: null })
    await expect.poll(() => processesOfHome(repository.dir).length, { timeout: farMs }).toBe(2)
  })
})
