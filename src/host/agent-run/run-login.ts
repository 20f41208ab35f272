import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isInside } from '../../system/files/paths.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import type { AgentRun } from './agent-task.ts'
import type { AgentProgress, ScenarioRequest } from '../protocol/protocol.ts'
import { nameLog } from '../../records/folders/log-file.ts'
import { loginFile } from '../../system/spec-endings.ts'

interface LoginTask {
  /** The scenario that begins with the login. */
  readonly request: ScenarioRequest
  /** Absolute path of an empty private folder for cookies and storage. */
  readonly folder: string
  /** Starts an agent whose browser saves cookies and storage to a file. */
  readonly start: (login: ScenarioRequest, storageStateOut: string) => Promise<AgentRun>
}

const step = { id: '1-log-in', title: 'Log in' }

/** Absolute path of the login that a spec begins with: in its folder, or in the nearest one above, up to the root. */
export function findLogin({ specFile, root }: Pick<ScenarioRequest, 'specFile' | 'root'>): string | undefined {
  for (let folder = dirname(specFile); ; folder = dirname(folder)) {
    const file = join(folder, loginFile)
    if (existsSync(file)) return file
    if (folder === root || !isInside(folder, root) || folder === dirname(folder)) return undefined
  }
}

/**
 * Runs a login as a scenario of one step, with logs of its own.
 *
 * @param file absolute path of the login
 * @returns absolute path of a file with cookies and storage
 * @throws {MdtestError} `AGENT_LOGIN_FAILED` where the agent does not report a pass.
 */
export async function runLogin(file: string, { request, folder, start }: LoginTask): Promise<string> {
  const { scenarioTitle: _title, specCopy: _copy, parts: _parts, ...same } = request
  const storageState = join(folder, 'storage-state.json')
  const run = await start(
    {
      ...same,
      specFile: file,
      includedFiles: [],
      includedCopies: [],
      title: step.title,
      attempt: 1,
      steps: [{ ...step, checks: 0, checkLines: [] }],
      otherSteps: [],
      hasSetupProse: false,
      hasTeardownProse: false,
    },
    storageState,
  )
  const ended = await lead(run)
  const why = whyFailed(ended, storageState)
  await run.finish(verdictOf(why, ended))
  if (why === undefined) return storageState
  const log = nameLog(run.logFile, request.root)
  const place = log === undefined ? '' : ` Log: ${log}.`
  throw new MdtestError(
    'AGENT_LOGIN_FAILED',
    `\`${relative(request.root, file)}\` did not pass: ${sentence(why)}${place}`,
    { hint: 'Every spec below it begins with this login: correct the login or the application, then run again.' },
  )
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

async function lead(run: AgentRun): Promise<AgentProgress> {
  let progress = await run.awaitStep()
  while (progress.kind === 'reported') {
    run.direct({ kind: 'finish' })
    progress = await run.awaitStep()
  }
  return progress
}

function whyFailed({ evidence }: AgentProgress, storageState: string): string | undefined {
  const { ending, errors, reports = [], journal = [] } = evidence
  const [report] = reports
  if (report?.status === 'pass' && !journal.some(({ activity }) => activity))
    return 'the agent reports a pass and did nothing.'
  if (report?.status === 'pass' && existsSync(storageState)) return undefined
  const said = report?.observed ?? errors[0]?.message ?? ('message' in ending ? ending.message : undefined)
  return said ?? 'the agent did not report it.'
}

function verdictOf(why: string | undefined, { usage }: AgentProgress): Parameters<AgentRun['finish']>[0] {
  const outcome = why === undefined ? 'pass' : 'fail'
  const reasons = why === undefined ? [] : [{ code: 'STEP_FAILED', message: why }]
  return { outcome, steps: [{ ...step, line: 1, outcome, reasons, durationMs: usage?.durationMs ?? 0 }] }
}
