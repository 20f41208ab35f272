import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '../../src/system/process/command.ts'
import { findRealClis, realCliPath } from '../../test/real-agents/find-real-clis.ts'
import { rightProgram, spec, steps } from '../../test/real-agents/notes-project.ts'
import { createIsolatedHome, type IsolatedHome } from '../../test/support/isolated-home.ts'
import { startModelServer, type ModelServer } from '../../test/support/model-server.ts'
import { carryOutSpec } from '../../test/support/scripts/carry-out-spec.ts'
import { importCompiled } from '../lib/import-compiled.ts'
import type { Measure } from '../lib/measure.ts'
import { runRounds } from '../lib/rounds.ts'
import { timedRow } from '../lib/table.ts'
import { assertCount } from '../lib/wrong-count.ts'

const { claudeAgent } =
  await importCompiled<typeof import('../../src/agents/claude/claude-agent.ts')>('agents/claude/claude-agent')
const { agentEnvironment } =
  await importCompiled<typeof import('../../src/agents/agent-environment.ts')>('agents/agent-environment')
const { buildPrompt } = await importCompiled<typeof import('../../src/agents/prompt.ts')>('agents/prompt')
const { connectHost } =
  await importCompiled<typeof import('../../src/host/server/connect-host.ts')>('host/server/connect-host')
const { createHost } = await importCompiled<typeof import('../../src/host/server/host.ts')>('host/server/host')
const { resolveOptions } =
  await importCompiled<typeof import('../../src/plan/options/option-defaults.ts')>('plan/options/option-defaults')
const { readResultLog } = await importCompiled<typeof import('../../src/records/result-log/read-result-log.ts')>(
  'records/result-log/read-result-log',
)

/** One way to let the CLI carry out the spec. */
type Side = () => Promise<SideRun>

interface SideRun {
  readonly durationMs: number
  readonly exitCode: number | null
  readonly logFile: string
}

interface Sides {
  readonly ours: Side
  readonly plain: Side
  close(): Promise<void>
}

interface Expected {
  readonly server: ModelServer
  /** Expected number of model requests. Default: any number */
  readonly requests?: number
}

const name = 'around `claude -p`'
const alone = { includedFiles: [], otherSteps: [], hasSetupProse: false, hasTeardownProse: false }
/** All checks of the spec belong to a single step. */
const checkLines = spec.split('\n').flatMap((line, index) => (line.startsWith('- [ ]') ? [index + 1] : []))
const askedSteps = steps.map((step) => ({ ...step, checkLines: step.checks === 0 ? [] : checkLines }))

/** Compares a run of the real CLI (scripted model) through mdtest's host with spawning the same command directly. */
export const agent: Measure = async ({ rounds = 9, log }) => {
  const clis = findRealClis()
  if (!clis.ok) return [{ name, verdict: 'skipped', note: clis.reason }]
  const server = await startModelServer(carryOutSpec)
  const home = createIsolatedHome({ modelUrl: server.url, path: realCliPath(clis.folder) })
  const sides = await createSides(home)
  try {
    const requests = await countRequests(server, sides)
    log(`counted: ${requests} model requests on each side`)
    const result = await runRounds({
      rounds,
      ours: async () => (await counted(sides.ours, { server, requests })).durationMs,
      plain: async () => (await counted(sides.plain, { server, requests })).durationMs,
    })
    return [timedRow(name, result, { maxAddedMs: 150 })]
  } finally {
    await sides.close()
    home[Symbol.dispose]()
    await server[Symbol.asyncDispose]()
  }
}

async function countRequests(server: ModelServer, sides: Sides): Promise<number> {
  const { requests } = await counted(sides.ours, { server })
  await counted(sides.plain, { server, requests })
  return requests
}

/** Runs a side, and checks that the log says `pass` and that the number of model requests is as expected. */
async function counted(side: Side, { server, requests }: Expected): Promise<{ durationMs: number; requests: number }> {
  const before = server.conversations.length
  const { durationMs, exitCode, logFile } = await side()
  const actual = server.conversations.length - before
  assertCount('exit code of claude', { expected: 0, actual: exitCode })
  const reading = await readResultLog(logFile)
  assertCount('status of the result log', { expected: 'pass', actual: reading.ok ? reading.log.status : reading.code })
  if (requests !== undefined) assertCount('model requests', { expected: requests, actual })
  return { durationMs, requests: actual }
}

async function createSides({ work, env }: IsolatedHome): Promise<Sides> {
  const specFile = join(work, 'notes.test.md')
  const allow = ['Bash(node *)']
  const options = resolveOptions({ agent: 'claude', allow })
  const common = { specFile, cwd: work, allow, network: false, dangerouslyAllowAllActions: false }
  const prepare = (): void => {
    writeFileSync(specFile, spec)
    writeFileSync(join(work, 'notes.mjs'), rightProgram)
    rmSync(join(work, 'notes.json'), { force: true })
  }
  let runs = 0
  const host = await createHost({ agent: 'claude', env, now: () => new Date(), maxAgents: 1, runBudget: {} })
  const worker = connectHost(host.address)
  return {
    async ours() {
      prepare()
      const request = {
        requestId: String((runs += 1)),
        specFile,
        includedFiles: [],
        specAgent: 'claude',
        title: 'Notes',
        attempt: 1,
        writes: [],
        root: work,
        cwd: work,
        settings: {
          ...options,
          executor: 'agent' as const, // a literal name
          sandbox: 'auto' as const, // a literal name
          afterFailure: 'stop' as const, // a literal name
          policy: {},
          repeats: { runs: 1, required: 1 },
          browser: { maxModelSteps: options.maxModelSteps, isHeaded: options.headed },
        },
        env: {},
        needsBrowser: false,
        steps: askedSteps,
        otherSteps: [],
        hasSetupProse: false,
        hasTeardownProse: false,
      }
      const startedAtMs = performance.now()
      const { logFile } = await worker.startAgent(request)
      const { evidence } = await worker.awaitStep(request.requestId)
      const durationMs = performance.now() - startedAtMs
      if (logFile === undefined) throw new Error('The host has started no agent.')
      const { ending } = evidence
      return { durationMs, exitCode: ending.kind === 'exited' ? ending.exitCode : null, logFile }
    },
    async plain() {
      prepare()
      const logFile = join(work, 'by-hand.logs', `${(runs += 1)}.log.md`)
      mkdirSync(join(work, 'by-hand.logs'), { recursive: true })
      const prompt = buildPrompt({ specFile, logFile, runId: `run-${runs}`, steps, ...alone })
      const command = claudeAgent.buildCommand({ ...common, prompt, logFile, env: agentEnvironment(env) })
      const startedAtMs = performance.now()
      const exitCode = await spawnByHand(command)
      return { durationMs: performance.now() - startedAtMs, exitCode, logFile }
    },
    async close() {
      worker.close()
      await host.close()
    },
  }
}

function spawnByHand({ argv: [file, ...args], cwd, env }: Command): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.resume()
    child.stderr.resume()
    child.once('error', reject)
    child.once('close', resolve)
  })
}
