import { mkdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { runCommand, type Argv } from '../../scripts/lib/run-command.ts'
import type { RunTestOutput } from '../../src/commands/mcp/run-test-output.ts'
import { createProject } from './project.ts'
import { assertCount, WrongCount } from './wrong-count.ts'

const testCount = 500
export const failures = [100, 250, 400]
const runners = { vitest: 'vitest.test.mjs', node: 'node.test.mjs' }
const limits = { timeout_ms: 120_000, no_output_timeout_ms: 120_000, max_output_bytes: 20_000 }

export type Runner = keyof typeof runners

/** The answer of `run_test`, as text and as structured output. */
export interface Answer {
  readonly durationMs: number
  readonly text: string
  readonly output: RunTestOutput
}

export interface LargeSuite {
  /** Calls the tool `run_test` and measures the time. */
  run(runner: Runner): Promise<Answer>
  /** Runs the tool's command directly, and returns the time in milliseconds. */
  runByHand(answer: Answer): Promise<number>
  readRawLog(answer: Answer): Promise<string>
  close(): Promise<void>
}

/** Creates a project with 500 tests for each runner, 3 of which fail, and connects to its `mdtest mcp`. */
export async function openLargeSuite(): Promise<LargeSuite> {
  const project = await createProject({
    'vitest.config.mjs': "export default { test: { include: ['vitest.test.mjs'] } }\n",
    [runners.vitest]: testsOf(
      "import { expect, test } from 'vitest'",
      (sum, wanted) => `expect(${sum}).toBe(${wanted})`,
    ),
    [runners.node]: testsOf(
      "import test from 'node:test'\nimport assert from 'node:assert/strict'",
      (sum, wanted) => `assert.equal(${sum}, ${wanted})`,
    ),
  })
  await mkdir(join(project.dir, 'node_modules/.bin'))
  await symlink('../vitest/vitest.mjs', join(project.dir, 'node_modules/.bin/vitest'))
  const bin = join(project.dir, 'node_modules/vitest-mdtest/dist/bin.js')
  const client = new Client({ name: 'bench', version: '1' })
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, TMPDIR: tmpdir() }
  const args = [bin, 'mcp', '--root', project.dir]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: project.dir, env }))
  return {
    async run(runner) {
      const startedAtMs = performance.now()
      const request = { runner, scope: 'file', target: runners[runner], ...limits }
      const result = await client.callTool({ name: 'run_test', arguments: request }, { timeout: 150_000 })
      const durationMs = performance.now() - startedAtMs
      // The server validates its answers against the schema of this type. Only errors have no structured content.
      const output = result.structuredContent as RunTestOutput | undefined
      const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
      if (output === undefined) throw new WrongCount(`wrong count: no structured answer: ${text}`)
      assertCount('failed tests', { expected: failures.length, actual: output.counts?.failed })
      assertCount('tests in all', { expected: testCount, actual: output.counts?.total })
      return { durationMs, text, output }
    },
    async runByHand({ output: { artifacts } }) {
      const { argv }: { argv: Argv } = JSON.parse(await readFile(join(project.dir, artifacts.summary_json), 'utf8'))
      const resultsDir = /\/[^=]*\/mdtest-[\da-f]{16}\/\d+/.exec(argv.join('\n'))?.[0]
      if (resultsDir === undefined) throw new Error(`No folder for results: ${argv.join(' ')}`)
      await mkdir(resultsDir, { recursive: true })
      const startedAtMs = performance.now()
      const options = { cwd: project.dir, env: { ...env, CI: 'true', NO_COLOR: '1' }, quiet: true }
      const { exitCode } = await runCommand(argv, options)
      const durationMs = performance.now() - startedAtMs
      await rm(resultsDir, { recursive: true, force: true })
      assertCount('exit code', { expected: 1, actual: exitCode })
      return durationMs
    },
    readRawLog: ({ output: { artifacts } }) => readFile(join(project.dir, artifacts.raw_log), 'utf8'),
    async close() {
      await client.close()
      await project.remove()
    },
  }
}

function testsOf(imports: string, assertion: (sum: string, wanted: number) => string): string {
  const tests = Array.from({ length: testCount }, (_, index) => {
    const wanted = failures.includes(index) ? index : index + 1
    return `test('the sum of ${index} and one is its successor', () => ${assertion(`${index} + 1`, wanted)})`
  })
  return `${imports}\n${tests.join('\n')}\n`
}
