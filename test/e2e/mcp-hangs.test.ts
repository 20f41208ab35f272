import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRepository, startSession, stubVitest, type McpSession, type Repository } from '../support/mcp-session.ts'
import { processesOfHome } from '../support/processes.ts'

const fixture = (name: string, ...args: string[]): string =>
  `process.argv.splice(2, Infinity, ...${JSON.stringify(args)})\nawait import(${JSON.stringify(fileURLToPath(new URL(`../../fixtures/bin/${name}`, import.meta.url)))})\n`

/** What hangs, and the status it ends with where each limit is far but that of the case. */
const cases = {
  sleeps: { program: fixture('forever.mjs'), limit: { no_output_timeout_ms: 500 }, status: 'no_output' },
  'goes on printing': {
    program: fixture('prints-every-100ms.mjs'),
    limit: { timeout_ms: 700 },
    status: 'timeout',
  },
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
    program: "process.stdin.on('end', () => process.exit(7)).resume()\nsetTimeout(() => {}, 60_000)\n",
    limit: {},
    status: 'error',
    exitCode: 7,
  },
  'watches unless told not to': {
    program: "setTimeout(() => {}, process.env.CI === 'true' ? 0 : 60_000)\n",
    limit: {},
    status: 'error',
    exitCode: 0,
  },
  'prints 1 GB at full speed': {
    program: fixture('floods-output.mjs', '1000'),
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

describe('run_test returns, and nothing stays, when the test runner', () => {
  let repository: Repository
  let session: McpSession
  beforeAll(async () => {
    const programs = [...Object.values(cases), emptyLines].map(({ program }, index) => [`${index}.mjs`, program])
    repository = await createRepository(Object.fromEntries(programs))
    await stubVitest(repository)
    session = await startSession(repository, { env: { HOME: repository.dir } })
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
    await expect.poll(() => processesOfHome(repository.dir).length, { timeout: 10_000 }).toBe(2)
  })

  test.runIf(process.platform === 'linux')('and the server has stayed small', () => {
    const [, peakKiB] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${session.pid}/status`, 'utf8')) ?? []
    expect(Number(peakKiB)).toBeLessThan(150_000)
  })

  test('prints empty lines without end', async () => {
    const { limit, status } = emptyLines
    const target = `${Object.keys(cases).length}.mjs`
    const { content } = await session.call({ runner: 'vitest', scope: 'file', target, ...limit })
    expect(content).toMatchObject({ status, exit_code: null })
    await expect.poll(() => processesOfHome(repository.dir).length, { timeout: 10_000 }).toBe(2)
  })
})
