import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AgentRequest, CliAgent } from '../../src/agents/agent.ts'
import type { ReportServer } from '../../src/host/agent-reports/report-server.ts'
import type { Command } from '../../src/system/process/command.ts'
import { findRealClis, realCliPath } from '../../test/real-agents/find-real-clis.ts'
import { rightProgram, spec, steps } from '../../test/real-agents/notes-project.ts'
import { acpAgents } from '../../test/real-agents/real-project.ts'
import { createIsolatedHome, type IsolatedHome } from '../../test/support/isolated-home.ts'
import { startModelServer, type ModelServer } from '../../test/support/model-server.ts'
import { carryOutSpec } from '../../test/support/scripts/carry-out-spec.ts'
import { importCompiled } from '../lib/import-compiled.ts'
import type { Measure, MeasureOptions } from '../lib/measure.ts'
import { median, runRounds } from '../lib/rounds.ts'
import { timedRow, type Row } from '../lib/table.ts'
import { assertCount } from '../lib/wrong-count.ts'

const { agents } = await importCompiled<typeof import('../../src/agents/registry.ts')>('agents/registry')
const { buildPrompt } = await importCompiled<typeof import('../../src/agents/prompt.ts')>('agents/prompt')
const { startReportServer } = await importCompiled<typeof import('../../src/host/agent-reports/report-server.ts')>(
  'host/agent-reports/report-server',
)
const { StepReports } = await importCompiled<typeof import('../../src/host/agent-reports/step-reports.ts')>(
  'host/agent-reports/step-reports',
)

const bareClient = fileURLToPath(new URL('../programs/bare-acp-client.mjs', import.meta.url))
const alone = { includedFiles: [], otherSteps: [], hasSetupProse: false, hasTeardownProse: false }
const maxAddedMs = 150
const maxAddedMegabytes = 60

/**
 * Compares mdtest's program for ACP agents with a minimal client built on the SDK, for each agent, with a scripted
 * model. Both give the agent mdtest's MCP server and the same time to list its tools.
 */
export const acp: Measure = async (options) => {
  const clis = findRealClis()
  if (!clis.ok) return [{ name: 'around ACP', verdict: 'skipped', note: clis.reason }]
  const rows: Row[] = []
  for (const one of acpAgents) rows.push(...(await measureAgent(one, clis.folder, options)))
  return rows
}

interface Place {
  readonly agent: CliAgent
  readonly home: IsolatedHome
  readonly model: ModelServer
  readonly reportServer: ReportServer
}

async function measureAgent(
  { agent: name, clis }: (typeof acpAgents)[number],
  folder: string,
  { rounds = 9, log }: MeasureOptions,
): Promise<readonly Row[]> {
  const agent = agents.find((one) => one.name === name)
  if (agent === undefined) throw new TypeError(`There is no agent ${name}`)
  await using model = await startModelServer(carryOutSpec)
  using home = createIsolatedHome({ modelUrl: model.url, path: realCliPath(folder), acpClis: [...clis] })
  const reportServer = await startReportServer()
  const place = { agent, home, model, reportServer }
  const requests: number[] = []
  const peaks = { ours: new Array<number>(), plain: new Array<number>() }
  const once = (side: 'ours' | 'plain') => async (): Promise<number> => {
    const run = await carryOut(place, side)
    requests.push(run.requests)
    peaks[side].push(run.peakMegabytes)
    return run.durationMs
  }
  const result = await runRounds({ rounds, ours: once('ours'), plain: once('plain') }).finally(reportServer.close)
  assertCount('numbers of model requests', { expected: 1, actual: new Set(requests).size })
  log(`counted: ${requests[0]} model requests of ${name} on each side`)
  const [ours, plain] = [median(peaks.ours), median(peaks.plain)]
  return [
    timedRow(`around \`${name}\`, ACP`, result, { maxAddedMs }),
    {
      name: `memory around \`${name}\``,
      ours: `${ours.toFixed(0)} MB`,
      plain: `${plain.toFixed(0)} MB`,
      result: `+${(ours - plain).toFixed(0)} MB`,
      target: `<= ${maxAddedMegabytes} MB`,
      verdict: ours - plain <= maxAddedMegabytes ? 'ok' : 'over',
    },
  ]
}

interface SideRun {
  readonly durationMs: number
  readonly requests: number
  /** Peak memory of mdtest's program or the bare client, without the agent */
  readonly peakMegabytes: number
}

/** Measures from the start of the client to its end. The client ends after the agent's program. */
async function carryOut({ agent, home, model, reportServer }: Place, side: 'ours' | 'plain'): Promise<SideRun> {
  const { work, env } = home
  const specFile = join(work, 'notes.test.md')
  const logFile = join(work, 'notes.logs', 'run.log.md')
  rmSync(join(work, 'notes.logs'), { recursive: true, force: true })
  rmSync(join(work, 'notes.json'), { force: true })
  mkdirSync(join(work, 'notes.logs'))
  writeFileSync(specFile, spec)
  writeFileSync(join(work, 'notes.mjs'), rightProgram)
  const prompt = buildPrompt({ specFile, logFile, runId: 'run-1', steps, ...alone })
  const stepReports = new StepReports({ steps: steps.map(({ id }) => id), now: () => new Date() })
  const { url, token, close } = reportServer.open(stepReports)
  const reports = { url, token, configFile: '' }
  const request: AgentRequest = {
    ...{ prompt, specFile, logFile, cwd: work, env, reports, allow: ['Bash(node *)'] },
    ...{ network: false, dangerouslyAllowAllActions: false },
  }
  const command = agent.buildCommand(request)
  const before = model.conversations.length
  const ended = await runClient(side === 'ours' ? command : bare(command, { prompt, url, token }))
  close()
  assertCount('exit code of the client', { expected: 0, actual: ended.exitCode })
  assertCount('status in the log', { expected: true, actual: readFileSync(logFile, 'utf8').includes('status: pass') })
  return { ...ended, requests: model.conversations.length - before }
}

/** Changes a command so that the bare client starts the agent's program, in the same environment. */
function bare({ cwd, env, input }: Command, told: object): Command {
  const task: { argv: readonly string[]; variables: Record<string, string> } = JSON.parse(input ?? '')
  return {
    argv: [process.execPath, bareClient, ...task.argv],
    cwd,
    env: { ...env, ...task.variables },
    input: JSON.stringify(told),
  }
}

async function runClient({ argv: [file, ...args], cwd, env, input }: Command) {
  const startedAtMs = performance.now()
  const child = spawn(file, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdout.resume()
  child.stderr.resume()
  child.stdin.end(input)
  let peakMegabytes = 0
  const timer = setInterval(() => (peakMegabytes = Math.max(peakMegabytes, peakOf(child.pid))), 100)
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  clearInterval(timer)
  return { durationMs: performance.now() - startedAtMs, exitCode, peakMegabytes }
}

/** Peak memory of a process so far; 0 if it has ended or the system does not report it. */
function peakOf(pid: number | undefined): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
