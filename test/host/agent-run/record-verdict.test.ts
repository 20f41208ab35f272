import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { recordVerdict } from '../../../src/host/agent-run/evidence-collector.ts'
import type { ScenarioVerdict, VerdictRecord } from '../../../src/records/verdict/verdict-record.ts'
import { groundAt } from '../../../src/system/files/trusted-folder.ts'
import { createRedactor } from '../../../src/system/redaction/open-redactor.ts'
import { useFolders } from '../use-folder.ts'

const newFolder = useFolders()
const step = { id: '1-pay', title: 'Pay', line: 5, outcome: 'pass', reasons: [], durationMs: 7 } as const // a literal outcome

type Run = Parameters<typeof recordVerdict>[1]

async function recorded(verdict: ScenarioVerdict, more: Partial<Run> = {}): Promise<VerdictRecord> {
  const { path, at } = newFolder()
  const verdictFile = at('run.verdict.json')
  recordVerdict(verdict, {
    agent: { name: 'claude' },
    request: { root: '/project', specFile: '/project/specs/a.test.md', title: 'Cart', attempt: 2 },
    logs: { ground: groundAt(path), verdict: verdictFile },
    runId: 'r1',
    startedAtMs: Date.UTC(2026, 1, 10, 14, 30),
    redactor: createRedactor([{ name: 'TOKEN', value: 's3cret-value' }]),
    ...more,
  } as unknown as Run) // what it reads of it
  return JSON.parse(readFileSync(verdictFile, 'utf8'))
}

describe('the verdict on disk', () => {
  test('says which scenario of which run it is on', async () => {
    expect(await recorded({ outcome: 'pass', steps: [step] })).toEqual({
      version: 1,
      spec: 'specs/a.test.md',
      scenario: 'Cart',
      attempt: 2,
      run: 'r1',
      agent: 'claude',
      startedAt: '2026-02-10T14:30:00.000Z',
      outcome: 'pass',
      steps: [step],
    })
  })

  test('names files of steps and reasons relative to the root', async () => {
    const reason = { code: 'CHECK_FAILED', message: 'no', line: 3, file: '/project/shared/login.md' }
    const failed = { ...step, file: '/project/shared/login.md', outcome: 'fail', reasons: [reason] } as const // literal
    const { steps } = await recorded({ outcome: 'fail', steps: [failed, { ...step, expected: [reason] }] })
    expect(steps[0]).toMatchObject({ file: 'shared/login.md', reasons: [{ file: 'shared/login.md', line: 3 }] })
    expect(steps[1]?.expected).toEqual([{ ...reason, file: 'shared/login.md' }])
  })

  test('has each picture with its step, those of the end by themselves', async () => {
    const images = [{ file: 'a.png', step: '1-pay' }, { file: 'end.png' }, { file: 'b.png', step: '1-pay' }]
    const record = await recorded({ outcome: 'pass', steps: [step, { ...step, id: '2-go' }] }, { images })
    expect(record.images).toEqual(['end.png'])
    expect(record.steps.map((one) => one.images)).toEqual([['a.png', 'b.png'], undefined])
  })

  test('has usage and rates where there are some', async () => {
    const usage = { inputTokens: 1, outputTokens: 2, durationMs: 3, costUsd: 0.5 }
    const repeat = { run: 1, of: 3, required: 2 }
    const verdict: ScenarioVerdict = { outcome: 'pass', steps: [{ ...step, passedRuns: 1 }], repeat }
    expect(await recorded(verdict, { usage })).toMatchObject({ usage, repeat, steps: [{ passedRuns: 1 }] })
  })

  test('has no secret in it', async () => {
    const reasons = [{ code: 'STEP_FAILED', message: 'It said s3cret-value.' }]
    const record = await recorded({ outcome: 'fail', steps: [{ ...step, title: 'Say s3cret-value', reasons }] })
    expect(JSON.stringify(record)).not.toContain('s3cret-value')
    expect(record.steps[0]?.reasons[0]?.message).toMatch(/^It said .*TOKEN/)
  })
})
