import { fileURLToPath } from 'node:url'
import { symlink } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectHost } from '../../../src/host/server/connect-host.ts'
import { createHost } from '../../../src/host/server/host.ts'
import type { AgentProgress, Direction } from '../../../src/host/protocol/protocol.ts'
import { scenarioRequest } from '../scenario-request.ts'
import { useFolders } from '../use-folder.ts'

const newFolder = useFolders()
const program = fileURLToPath(new URL('../../../fixtures/bin/reports-and-stays.mjs', import.meta.url))

interface Scene {
  readonly stayMs: number
  readonly closingMs: number
  readonly hasTeardownProse?: boolean
  /** Its stream says that its turn is over. `none`: it has reported nothing then. */
  readonly turnEnds?: 'after its report' | 'none'
}

/** Has an agent report its only step, tells it this, and waits for its end. */
async function endAfter(
  direction: Direction,
  { stayMs, closingMs, hasTeardownProse = false, turnEnds }: Scene,
): Promise<AgentProgress> {
  const folder = newFolder()
  await folder.write({ 'a.test.md': '# A\n\nDo it.\n', 'bin/x': '' })
  await symlink(program, folder.at('bin/codex'))
  const host = await createHost({
    agent: 'auto',
    env: { PATH: `${folder.at('bin')}:${process.env.PATH}`, HOME: folder.path },
    now: () => new Date(),
    maxAgents: 1,
    runBudget: {},
    closingMs,
  })
  const worker = connectHost(host.address)
  onTestFinished(async () => {
    worker.close()
    await host.close()
  })
  const env = { STAY_MS: String(stayMs), ...(turnEnds && { TURN_ENDS: turnEnds }) }
  await worker.startAgent(scenarioRequest(folder.path, { specAgent: 'codex', env, hasTeardownProse }))
  const first = await worker.awaitStep('1')
  if (turnEnds === 'none') return first
  expect(first.kind).toBe('reported')
  worker.direct('1', direction)
  return worker.awaitStep('1')
}

describe('an agent that is done', () => {
  test('and stays is ended when its time for closing words is over', async () => {
    const { evidence } = await endAfter(
      { kind: 'stop', reason: 'It did not pass.' },
      { stayMs: 600_000, closingMs: 100 },
    )
    expect(evidence.ending).toEqual({ kind: 'killed', signal: 'SIGTERM', isOurs: true })
    expect(evidence.reports).toMatchObject([{ id: '1-a', status: 'pass' }])
  })

  test.each([
    ['ends by itself within that time is left alone', { stayMs: 100, closingMs: 120_000 }],
    ['has a tear-down to do has no such limit', { stayMs: 400, closingMs: 1, hasTeardownProse: true }],
  ])('and %s', async (_, scene) => {
    const { evidence } = await endAfter({ kind: 'finish' }, scene)
    expect(evidence.ending).toEqual({ kind: 'exited', exitCode: 0 })
  })

  test.each(['after its report', 'none'] as const)('is ended soon once its turn is over: %s', async (turnEnds) => {
    const progress = await endAfter({ kind: 'finish' }, { stayMs: 600_000, closingMs: 600_000, turnEnds })
    const { evidence } = progress
    expect(evidence.ending).toEqual({ kind: 'killed', signal: 'SIGTERM', isOurs: true })
    expect(evidence.reports).toHaveLength(turnEnds === 'none' ? 0 : 1)
    // It waits for 1.5 s or 5 s, and not for the minute of an agent whose turn goes on.
    expect(progress.kind === 'ended' && progress.usage?.durationMs).toBeLessThan(40_000)
  })
})
