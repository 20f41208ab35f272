import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { AgentProgress, Direction } from '../../src/host/protocol/protocol.ts'
import type { HostClient } from '../../src/host/server/connect-host.ts'
import { resolveOptions } from '../../src/plan/options/option-defaults.ts'
import { resolveSpecSettings } from '../../src/plan/options/spec-settings.ts'
import type { ScenarioInput } from '../../src/scenario/scenario-input.ts'
import { parseSpec } from '../../src/spec/parse-spec.ts'
import { stepsOf, type Step } from '../../src/spec/spec.ts'
import type { LauncherAddress } from '../../src/system/process/launcher/launcher.ts'
import type { AgentEvidence } from '../../src/verdict/verdict.ts'
import { useLauncher } from '../support/use-launcher.ts'
import { agent, noLog, report } from '../verdict/evidence.ts'

interface Opened {
  readonly launcher: LauncherAddress
  readonly input: ScenarioInput
  readonly steps: readonly Step[]
  /** What the host was asked and told, in order. */
  readonly told: readonly string[]
  /** Absolute path of the root, which is the folder of the spec. */
  readonly root: string
}

/** Opens specs of one scenario beside a host that stands in for the other process: its agent does as `progress` says. */
export function useScenario(): (source: string, progress?: readonly AgentProgress[]) => Opened {
  const launcher = useLauncher()
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-scenario-')))
  afterAll(() => rmSync(base, { recursive: true, force: true }))
  return (source, progress = []) => {
    const root = mkdtempSync(join(base, 'root-'))
    const file = join(root, 'a.test.md')
    writeFileSync(file, source)
    const { spec, problems } = parseSpec(source, { file })
    const [scenario] = spec.scenarios
    if (scenario === undefined || problems.length > 0) throw new Error(`A bad spec: ${JSON.stringify(problems)}`)
    const told: string[] = []
    const left = [...progress]
    const logFile = join(root, 'a.log.md')
    const host: HostClient = {
      runMark: `run-of-${base}`,
      interruption: new AbortController().signal,
      async enterScenario() {
        told.push('enter')
        return { updateMode: 'off', launcher }
      },
      leaveScenario: () => void told.push('leave'),
      async startAgent(request) {
        told.push(`start ${request.steps.map(({ id }) => id).join(' ')}`)
        return { logFile, evidenceDir: join(root, 'evidence') }
      },
      async awaitStep() {
        const next = left.shift()
        if (next === undefined) throw new Error('The connection broke.')
        return next
      },
      direct: (_, direction) => void told.push(inWords(direction)),
      async finishAgent(_, { outcome }) {
        told.push(`conclude ${outcome}`)
      },
      async noteOutcome(_, { outcome }) {
        told.push(`note ${outcome}`)
      },
      cancel: () => void told.push('cancel'),
      hadAgents: async () => false,
      openBrowser: () => Promise.reject(new Error('There is no browser here.')),
      async makeTempDir() {
        const folder = join(base, `temp-${process.hrtime.bigint()}`)
        mkdirSync(folder)
        return folder
      },
      rewriteOutput: async () => [],
      async keepRecording() {},
      executeWith() {},
      noteTrace: async () => undefined,
      processStarted() {},
      processEnded() {},
      async codeStarted() {},
      [Symbol.dispose]: () => undefined,
      close: () => void told.push('close'),
    }
    const settings = resolveSpecSettings(spec, resolveOptions({}), {})
    const steps = stepsOf(scenario)
    const selected = new Set(steps.map(({ ordinal }) => ordinal))
    const input = { spec, scenario, hashes: {}, settings, root, env: process.env, host, attempt: 1, selected }
    return { launcher, input, steps, told, root }
  }
}

function inWords(direction: Direction): string {
  return direction.kind === 'stop' ? `stop: ${direction.reason}` : direction.kind
}

/** The agent reports its steps, these passed so far. */
export function reported(...ids: readonly string[]): AgentProgress {
  return { kind: 'reported', evidence: withReports(ids, { ending: { kind: 'working' } }) }
}

/** The agent has ended, these steps reported as passed. */
export function ended(ids: readonly string[] = [], more: Partial<AgentEvidence> = {}): AgentProgress {
  return { kind: 'ended', evidence: withReports(ids, more), usage: { inputTokens: 2, outputTokens: 3, durationMs: 1 } }
}

function withReports(ids: readonly string[], more: Partial<AgentEvidence>): AgentEvidence {
  return agent({ status: 'pass' }, { reading: noLog, reports: ids.map((id) => report(id)), ...more })
}
