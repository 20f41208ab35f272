import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { RunnerOutput } from '../../src/test-runners/runner.ts'

/** What a run left, in a project that is gone after the test; in texts `/repo` stands for it. */
export function leftByRunner(
  files: Readonly<Record<string, string>>,
  output: Partial<RunnerOutput> = {},
): RunnerOutput & { readonly resultsDir: string } {
  const folder = mkdtempSync(join(tmpdir(), 'mdtest-recorded-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [root, resultsDir] = [join(folder, 'repo'), join(folder, 'results')]
  mkdirSync(root)
  mkdirSync(resultsDir)
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text.replaceAll('/repo/', `${root}/`))
  }
  const { stdout = '', stderr = '', ...rest } = output
  const printed = { stdout: stdout.replaceAll('/repo/', `${root}/`), stderr: stderr.replaceAll('/repo/', `${root}/`) }
  return { ...printed, resultsDir, root, exitCode: 1, startedAtMs: Date.now() - 60_000, ...rest }
}
