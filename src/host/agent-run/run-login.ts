import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { LoginFailed, type AgentRun } from './agent-task.ts'
import type { AgentProgress, ScenarioRequest } from '../protocol/protocol.ts'
import { nameLog } from '../../records/folders/log-file.ts'

export interface LoginTask {
  readonly user: string
  readonly file: string
  /** Tries the saved cookies and storage. Returns the reason if they do not sign the user in. */
  readonly check: (storageState: string) => Promise<string | undefined>
}

interface LoginRun {
  readonly request: ScenarioRequest
  readonly folder: string
  readonly start: (login: ScenarioRequest, storageStateOut: string) => Promise<AgentRun>
}

const step = { id: '1-log-in', title: 'Log in' }

/** Runs a login as a one-step scenario. Returns the session file. @throws {MdtestError} `LOGIN_FAILED` */
export async function logIn({ user, file, check }: LoginTask, { request, folder, start }: LoginRun): Promise<string> {
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
      steps: [{ ...step, checks: 0, checkLines: [], actsAs: user }],
      otherSteps: [],
      hasSetupProse: false,
      hasTeardownProse: false,
    },
    storageState,
  )
  let ended = await run.awaitStep()
  while (ended.kind === 'reported') {
    run.direct({ kind: 'finish' })
    ended = await run.awaitStep()
  }
  const why = whyFailed(ended, storageState) ?? (await check(storageState))
  const outcome = why === undefined ? 'pass' : 'fail'
  const reasons = why === undefined ? [] : [{ code: 'STEP_FAILED', message: why }]
  const durationMs = ended.usage?.durationMs ?? 0
  await run.finish({ outcome, steps: [{ ...step, line: 1, outcome, reasons, durationMs }] })
  if (why === undefined) return storageState
  const { logFile, evidenceDir } = run
  const screenshot = ended.images?.at(-1)?.file
  const picture = evidenceDir && screenshot && nameLog(join(evidenceDir, screenshot), request.root)
  const sentence = /[.!?]$/.test(why) ? why : `${why}.`
  throw new LoginFailed(
    `\`${relative(request.root, file)}\` did not pass: ${sentence}${picture ? ` Screenshot: ${picture}.` : ''}`,
    {
      hint: 'The steps of this user need it: correct the login, its `signed-in` text or the application, then run again.',
      record: { logFile, evidenceDir, screenshot },
    },
  )
}

function whyFailed({ evidence }: AgentProgress, storageState: string): string | undefined {
  const { ending, errors, reports = [], journal = [] } = evidence
  const [report] = reports
  if (report?.status === 'pass' && !journal.some(({ activity }) => activity))
    return 'the agent reports a pass and did nothing.'
  if (report?.status === 'pass')
    return existsSync(storageState) ? undefined : 'its cookies and storage could not be saved.'
  const said = report?.observed ?? errors[0]?.message ?? ('message' in ending ? ending.message : undefined)
  return said ?? 'the agent did not report it.'
}
