import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { AcpTask } from '../../../src/agents/acp/acp-agent.ts'
import { carryOutTask } from '../../../src/agents/acp/program/run-task.ts'
import type { AgentEvent } from '../../../src/agents/agent.ts'
import { openCodeAgent } from '../../../src/agents/acp/acp-agents.ts'
import { processesOfHome } from '../../support/processes.ts'
import { agentRequest } from '../test-agent.ts'

const peer = fileURLToPath(new URL('../../support/acp-peer.mjs', import.meta.url))

interface Led {
  /** As the agent reads the lines that our program prints. */
  readonly events: readonly AgentEvent[]
  /** Command lines of processes that it left. */
  readonly left: readonly string[]
}

/** Leads the peer, which is a process of its own. The run is ended where the peer keeps silent. */
export async function leadPeer(script: object, request: Partial<AcpTask['request']> = {}): Promise<Led> {
  const home = mkdtempSync(join(tmpdir(), 'mdt-acp-'))
  try {
    const env = { PATH: process.env.PATH ?? '', HOME: home }
    const task = peerTask(home, script)
    const events: AgentEvent[] = []
    const ending = new AbortController()
    const carriedOut = carryOutTask(
      { ...task, request: { ...task.request, ...request } },
      {
        ...{ env, signal: ending.signal, say() {} },
        emit: (event) => void events.push(...openCodeAgent.readEvents(JSON.stringify(event))),
      },
    )
    if ('silent' in script) {
      const file = join(home, 'silent')
      await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8') !== '', { timeout: 60_000 }).toBe(true)
      ending.abort()
      process.kill(Number(readFileSync(file, 'utf8')))
    }
    await carriedOut
    return { events, left: await leftOf(home) }
  } finally {
    rmSync(home, { recursive: true })
  }
}

/** What was killed a moment ago may need another one. */
async function leftOf(home: string): Promise<readonly string[]> {
  const endMs = performance.now() + 60_000
  let left = processesOfHome(home)
  for (; left.length > 0 && performance.now() < endMs; left = processesOfHome(home)) await sleep(20)
  return left
}

/** A task for the peer, which does as the script says. */
export function peerTask(home: string, script: object): AcpTask {
  const { input } = openCodeAgent.buildCommand(agentRequest({ cwd: home, logFile: join(home, 'logs/t.log.md') }))
  writeFileSync(join(home, 'script.json'), JSON.stringify(script))
  const told: AcpTask = JSON.parse(input ?? '')
  return { ...told, argv: [process.execPath, peer, join(home, 'script.json')] }
}
