import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { reportSpecWith, type Report } from '../support/scripts/report-spec.ts'
import { claude, createRealProject, skipReason } from './real-project.ts'

/** A tester that quotes for each check what it quotes for the step. */
const quoting = reportSpecWith((report) => [{ ...report, checks: checksOf(report, report.evidence) }])

function checksOf({ checks }: Report, evidence: unknown): readonly object[] {
  return Array.isArray(checks) ? checks.map((check: object) => ({ ...check, evidence })) : []
}

test.skipIf(skipReason !== '')(
  `a real agent carries out the demo, but for the lie${skipReason}`,
  async () => {
    const { agent, title: _title, ...setup } = claude
    await using real = await createRealProject({ ...setup, script: quoting, files: {} })
    const { all, exitCode } = await real.project.mdtest(['demo', '--agent', agent, '--out', 'told'], {
      env: real.env,
      timeoutMs: 280_000,
    })
    expect(exitCode, all).toBe(0)
    expect(all).toContain('│ steps: 2 passed: 1 verified, 1 witnessed')
    expect(all.match(/│ agents: 1 scenario, \d+ tokens in/g)).toHaveLength(3)
    expect(all).toContain('│ agents: 1 scenario, usage unknown')
    expect(all.trimEnd().split('\n').at(-1)).toBe(real.project.path('told/index.html'))
    expect(await readdir(real.project.path('told'))).toContain('index.html')
    expect(await real.leftovers()).toEqual([])
  },
  300_000,
)
