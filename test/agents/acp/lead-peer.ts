import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { AcpTask, GateRules } from '../../../src/agents/acp/acp-task.ts'
import { openCodeAgent } from '../../../src/agents/opencode/opencode-agent.ts'
import { processesOfHome } from '../../support/processes.ts'
import { spawnCommand } from '../../support/spawn-command.ts'
import { agentRequest } from '../test-agent.ts'

const peer = fileURLToPath(new URL('../../support/acp-peer.mjs', import.meta.url))

/** Has the real program of ours lead the peer. */
export async function leadPeer(
  script: object,
  gate: Partial<GateRules> = {},
  limitMs = 60_000,
  more: Partial<AcpTask> = {},
) {
  const home = mkdtempSync(join(tmpdir(), 'mdt-acp-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const env = { PATH: process.env.PATH ?? '', HOME: home }
  const command = openCodeAgent.buildCommand(agentRequest({ cwd: home, logFile: join(home, 'logs/t.log.md'), env }))
  const told: AcpTask = JSON.parse(command.input?.task ?? '')
  writeFileSync(join(home, 'script.json'), JSON.stringify(script))
  const argv = [process.execPath, peer, join(home, 'script.json')] as const // a tuple
  const task: AcpTask = { ...told, ...more, argv: [...argv], gate: { ...told.gate, ...gate } }
  const input = { ahead: '', task: `${JSON.stringify(task)}\n` }
  const end = await spawnCommand({ ...command, input }, limitMs)
  const events = end.stdout.split('\n').flatMap((line) => openCodeAgent.readEvents(line))
  return { ...end, events, left: processesOfHome(home) }
}
