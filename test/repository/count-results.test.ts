import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import { root } from './tracked-files.ts'

const result = (title: string, status: 'failed' | 'passed', failureMessages: readonly string[] = []): object => ({
  ...{ title, fullName: title, ancestorTitles: [], status, failureMessages },
})

async function count(
  assertionResults: readonly object[],
): Promise<{ readonly lines: string[]; readonly code?: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'mdt-count-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const failed = assertionResults.filter((one) => 'status' in one && one.status === 'failed').length
  const counts = { numPassedTests: assertionResults.length - failed, numFailedTests: failed }
  const file = join(folder, 'test.json')
  const testResults = [{ name: join(root, 'test/a.test.ts'), status: 'passed', message: '', assertionResults }]
  writeFileSync(file, JSON.stringify({ ...counts, testResults }))
  const args = ['scripts/start', 'scripts/count-results.ts', file]
  const { stdout, exitCode } = await execa('bash', args, { cwd: root, reject: false })
  return { lines: stdout.split('\n'), ...(exitCode !== undefined && { code: exitCode }) }
}

test('results are counted, and what failed is told', async () => {
  const { lines, code } = await count([result('a', 'passed'), result('c', 'failed', ['why'])])
  expect(lines.join('\n')).toMatch(/^failed .* > c\n {4}why\n[^]*\n1 passed, 1 failed$/)
  expect(code).toBe(1)
})

test('what passed ends well', async () => {
  expect(await count([result('a', 'passed')])).toEqual({ lines: ['1 passed, 0 failed'], code: 0 })
})
