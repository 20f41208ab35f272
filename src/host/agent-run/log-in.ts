import { blockBrowser, blockLaunch, type BrowserStart } from '../../agents/browser/block-browser.ts'
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isInside } from '../../system/files/paths.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import type { AgentContext, AgentRun } from './agent-task.ts'
import type { AgentProgress, BrowserRequest, ScenarioRequest } from '../protocol/protocol.ts'
import { nameLog } from '../../records/folders/log-file.ts'
import { loginFile } from '../../system/spec-endings.ts'

interface LoginTask {
  readonly request: ScenarioRequest
  readonly folder: string
  readonly start: (login: ScenarioRequest, storageStateOut: string) => Promise<AgentRun>
}

const step = { id: '1-log-in', title: 'Log in' }

/** The login that a spec begins with: in its folder, or in the nearest one above, up to the root. */
export function findLogin({ specFile, root }: Pick<ScenarioRequest, 'specFile' | 'root'>): string | undefined {
  for (let folder = dirname(specFile); ; folder = dirname(folder)) {
    const file = join(folder, loginFile)
    if (existsSync(file)) return file
    if (folder === root || !isInside(folder, root) || folder === dirname(folder)) return undefined
  }
}

/** Runs a login as a scenario of one step. @throws {MdtestError} `AGENT_LOGIN_FAILED` where no pass is reported */
export async function logIn(file: string, { request, folder, start }: LoginTask): Promise<string> {
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
  let ended = await run.awaitStep()
  while (ended.kind === 'reported') {
    run.direct({ kind: 'finish' })
    ended = await run.awaitStep()
  }
  const why = whyFailed(ended, storageState)
  await run.finish(verdictOf(why, ended))
  if (why === undefined) return storageState
  const log = nameLog(run.logFile, request.root)
  const place = log === undefined ? '' : ` Log: ${log}.`
  const sentence = /[.!?]$/.test(why) ? why : `${why}.`
  throw new MdtestError('AGENT_LOGIN_FAILED', `\`${relative(request.root, file)}\` did not pass: ${sentence}${place}`, {
    hint: 'Every spec below it begins with this login: correct the login or the application, then run again.',
  })
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

/** Finds what drives a browser for blocks, and makes a folder for it. It begins with what a login of this run left. */
export async function openBlockBrowser(
  { specFile, root, settings }: BrowserRequest,
  { browsers, processes, env }: Pick<AgentContext, 'browsers' | 'processes' | 'env'>,
): Promise<BrowserStart> {
  const executablePath = await browsers.program(settings, env)
  const file = findLogin({ specFile, root })
  const storageState = file === undefined ? undefined : await browsers.leftBy({ file, ...settings })
  const launch = {
    home: processes.makeBrowserDir(),
    executablePath,
    ...(storageState !== undefined && { storageState }),
  }
  return blockBrowser(blockLaunch(launch, settings), env)
}
