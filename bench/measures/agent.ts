import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { claudeAgent } from '../../.cache/compiled/agents/claude/claude-agent.js'
import { agentEnvironment } from '../../.cache/compiled/agents/agent-environment.js'
import { buildPrompt } from '../../.cache/compiled/agents/prompt.js'
import { connectHost } from '../../.cache/compiled/host/server/connect-host.js'
import { createHost } from '../../.cache/compiled/host/server/host.js'
import { resolveOptions } from '../../.cache/compiled/plan/options/resolve-options.js'
import { readResultLog } from '../../.cache/compiled/records/result-log/read-result-log.js'
import { importSource } from '../lib/import-source.ts'
import { runRounds } from '../lib/rounds.ts'
import { timedRow } from '../lib/table.ts'
import { assertCount } from '../lib/wrong-count.ts'

const name = 'around `claude -p`'

/** The host, as a worker asks it, around the real CLI on a scripted model against spawning the same command by hand. */
export async function agent({ rounds = 9, log }) {
  const { modules, close } = await importSource([
    'test/real-agents/find-real-clis.ts',
    'test/real-agents/notes-project.ts',
    'test/support/isolated-home.ts',
    'test/support/model-server.ts',
    'test/support/scripts/carry-out-spec.ts',
  ])
  const [{ findRealClis, realCliPath }, notes, { createIsolatedHome }, { startModelServer }, { carryOutSpec }] = modules
  const clis = findRealClis({})
  if (!clis.ok) {
    await close()
    return [{ name, verdict: 'skipped', note: clis.reason }]
  }
  const server = await startModelServer(carryOutSpec)
  const home = createIsolatedHome({ modelUrl: server.url, path: realCliPath(clis.folder) })
  const sides = await createSides(home, notes)
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
    await close()
  }
}

async function countRequests(server, sides) {
  const { requests } = await counted(sides.ours, { server })
  await counted(sides.plain, { server, requests })
  return requests
}

/** Both sides have to have had the same conversation with the model, to a log that says `pass`. */
async function counted(side, { server, requests }) {
  const before = server.conversations.length
  const { durationMs, exitCode, logFile } = await side()
  const actual = server.conversations.length - before
  assertCount('exit code of claude', { expected: 0, actual: exitCode })
  const reading = await readResultLog(logFile)
  assertCount('status of the result log', { expected: 'pass', actual: reading.ok ? reading.log.status : reading.code })
  if (requests !== undefined) assertCount('model requests', { expected: requests, actual })
  return { durationMs, requests: actual }
}

async function createSides({ work, env }, { spec, steps, rightProgram }) {
  const specFile = join(work, 'notes.test.md')
  const allow = ['Bash(node *)']
  const options = resolveOptions({ agent: 'claude', allow })
  const common = { specFile, cwd: work, allow, network: false, dangerouslyAllowAllActions: false }
  const prepare = () => {
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
        settings: { ...options, browser: {} },
        env: {},
        needsBrowser: false,
        steps,
        otherSteps: [],
        hasSetupProse: false,
        hasTeardownProse: false,
      }
      const startedAtMs = performance.now()
      const { logFile } = await worker.startAgent(request)
      const { evidence } = await worker.awaitStep(request.requestId)
      return { durationMs: performance.now() - startedAtMs, exitCode: evidence.ending.exitCode, logFile }
    },
    async plain() {
      prepare()
      const logFile = join(work, 'by-hand.logs', `${(runs += 1)}.log.md`)
      mkdirSync(join(work, 'by-hand.logs'), { recursive: true })
      const prompt = buildPrompt({ specFile, logFile, runId: `run-${runs}`, steps, hooks: {} })
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

function spawnByHand({ argv: [file, ...args], cwd, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.resume()
    child.stderr.resume()
    child.once('error', reject)
    child.once('close', resolve)
  })
}
