import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { connectHost } from '../../../src/host/server/connect-host.ts'
import { createHost, type Host } from '../../../src/host/server/host.ts'
import { scenarioRequest } from '../scenario-request.ts'

function startHost(signal?: AbortSignal): Promise<Host> {
  return createHost({
    agent: 'auto',
    env: { PATH: '/nonexistent' },
    now: () => new Date(),
    signal,
    maxAgents: 4,
    runBudget: {},
  })
}

async function isClosed(port: number, firstBytes: string): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(firstBytes)
  // Not `once` of `node:events`: a reset is an error and a close.
  await new Promise((resolve) => socket.on('close', resolve))
  return true
}

/** A process that leads a group of its own, as the host's trees do. */
function startSleeper(): { readonly pid: number; readonly ended: Promise<unknown> } {
  const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
  return { pid: child.pid ?? 0, ended: once(child, 'exit') }
}

describe('the host', () => {
  test.for([
    ['a wrong token', `${'0'.repeat(48)}\n`],
    ['no token', '{"m":"carryOut"}\n'],
    ['more than a token without a line end', 'x'.repeat(100_000)],
  ] as const)('closes a connection that begins with %s', async ([, firstBytes]) => {
    const host = await startHost()
    expect(await isClosed(host.address.port, firstBytes)).toBe(true)
    await host.close()
  })

  test('ends what a worker started when its connection breaks', async () => {
    const host = await startHost()
    const worker = connectHost(host.address)
    const { pid, ended } = startSleeper()
    worker.processStarted({ pid, mark: 'test-mark-of-a-worker' })
    // Told behind it, and answered.
    await worker.makeTempDir()
    worker.close()
    await ended
    await host.close()
  })

  test('tells every worker that the run is interrupted, also those that come later', async () => {
    const interruption = new AbortController()
    const host = await startHost(interruption.signal)
    const workers = Array.from({ length: 12 }, () => connectHost(host.address))
    await Promise.all(workers.map((worker) => worker.makeTempDir()))
    expect(workers.map((worker) => worker.interruption.aborted)).not.toContain(true)
    interruption.abort()
    const late = connectHost(host.address)
    await Promise.all([...workers, late].map(({ interruption: { aborted }, makeTempDir }) => aborted || makeTempDir()))
    expect([...workers, late].map((worker) => worker.interruption.aborted)).not.toContain(false)
    for (const worker of [...workers, late]) worker.close()
    await host.close()
  })

  test('ends what is left when it closes', async () => {
    const host = await startHost()
    const worker = connectHost(host.address)
    const { pid, ended } = startSleeper()
    worker.processStarted({ pid, mark: 'test-mark-of-the-host' })
    // Told behind it, and answered.
    await worker.makeTempDir()
    await host.close()
    await ended
    worker.close()
  })

  test('answers for an agent that is not there without starting anything', async () => {
    const host = await startHost()
    const worker = connectHost(host.address)
    const start = await worker.startAgent(scenarioRequest('/nowhere', { cwd: '/', steps: [] }))
    expect(start.logFile).toBeUndefined()
    const { kind, evidence } = await worker.awaitStep('1')
    expect(kind).toBe('ended')
    expect(evidence.ending).toMatchObject({ code: 'AGENT_NOT_FOUND', message: expect.stringContaining('claude') })
    worker.close()
    await host.close()
  })
})
