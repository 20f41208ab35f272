import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { RunnerResults } from '../../src/test-runners/runner.ts'
import { runnerNamed, type RunnerName } from '../../src/test-runners/runners.ts'

interface Left {
  readonly target: string
  readonly stdout?: string
  readonly vitest?: unknown
  readonly exitCode?: number | null
}

/** What a runner makes of what it left, where a file was asked for. */
async function read(
  name: RunnerName,
  { target, stdout = '', vitest = {}, exitCode = 0 }: Left,
): Promise<RunnerResults['counts']> {
  const root = mkdtempSync(join(tmpdir(), 'mdtest-asked-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'src'))
  for (const file of ['Cargo.toml', 'src/sum.rs', 'src/checksum.rs']) writeFileSync(join(root, file), '')
  writeFileSync(join(root, 'node.jsonl'), '')
  writeFileSync(join(root, 'vitest.json'), JSON.stringify(vitest).replaceAll('/repo', root))
  const run = { scope: 'file', target } as const // the type of the scope
  const output = { stdout, stderr: '', resultsDir: root, root, run, exitCode, startedAtMs: 0 }
  return (await runnerNamed(name).readResults(output)).counts
}

test('Vitest also runs files whose path has that of another in it; they do not stand for it', async () => {
  const file = (name: string, status: string): object => ({
    name: `/repo/${name}`,
    status: 'passed',
    assertionResults: [{ ancestorTitles: [], title: 'adds', status }],
  })
  const vitest = { testResults: [file('a.test.tsx', 'passed'), file('b.test.ts', 'skipped')] }
  expect(await read('vitest', { vitest, target: 'a.test.tsx' })).toMatchObject({ passed: 1 })
  expect(await read('vitest', { vitest, target: 'a.test.ts' })).toMatchObject({ total: 0 })
  expect(await read('vitest', { vitest, target: 'b.test.ts' })).toMatchObject({ total: 0 })
})

test("nor do tests of a module of Cargo's whose path ends as another's", async () => {
  const stdout =
    'running 1 test\ntest checksum::tests::adds ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured\n'
  expect(await read('cargo', { stdout, target: 'src/checksum.rs' })).toMatchObject({ passed: 1 })
  expect(await read('cargo', { stdout, target: 'src/sum.rs' })).toMatchObject({ total: 0 })
})

test('of Node.js that was ended before its first result nothing is known', async () => {
  expect(await read('node', { target: 'a.mjs', exitCode: null })).toBeNull()
  expect(await read('node', { target: 'a.mjs', exitCode: 0 })).toMatchObject({ total: 0 })
})
