import { blockBrowser, type BrowserStart } from '../../agents/browser/block-browser.ts'
import { planLogin, type Login } from '../../agents/browser/logins.ts'
import { messageOf } from '../../system/error-facts.ts'
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { MdtestError } from '../../system/mdtest-error.ts'
import type { AgentContext, AgentRun } from './agent-task.ts'
import type { AgentProgress, BrowserRequest, ScenarioRequest } from '../protocol/protocol.ts'
import { nameLog } from '../../records/folders/log-file.ts'

interface LoginTask {
  readonly request: ScenarioRequest
  readonly folder: string
  readonly start: (login: ScenarioRequest, storageStateOut: string) => Promise<AgentRun>
}

const step = { id: '1-log-in', title: 'Log in' }

interface SpecOfUsers extends Pick<BrowserRequest, 'specFile' | 'root' | 'settings' | 'savedLogins'> {}

interface SigningIn {
  readonly context: Pick<AgentContext, 'browsers' | 'signal'>
  readonly logIn: (login: Login) => Promise<string>
}

/** Files with cookies and storage of users, by name: each is signed in once in a run. @throws {MdtestError} `LOGIN_FAILED` */
export async function signIn(
  users: readonly string[],
  { settings, savedLogins: saved, ...place }: SpecOfUsers,
  { context: { browsers, signal }, logIn }: SigningIn,
): Promise<Readonly<Record<string, string>>> {
  const states = await Promise.all(
    users.map(async (user): Promise<readonly (readonly [string, string])[]> => {
      const login = planLogin(user, { ...place, saved })
      if (login === undefined) return []
      const key = { login, ...settings }
      try {
        return [[user, await browsers.login(key, () => logIn(login))]]
      } catch (error: unknown) {
        if (signal.aborted) browsers.forgetLogin(key)
        throw error
      }
    }),
  )
  return Object.fromEntries(states.flat())
}

/** Runs a login as a scenario of one step. @throws {MdtestError} `LOGIN_FAILED` where no pass is reported */
export async function logIn({ user, file = '' }: Login, { request, folder, start }: LoginTask): Promise<string> {
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
  const why = whyFailed(ended, storageState)
  await run.finish(verdictOf(why, ended))
  if (why === undefined) return storageState
  const log = nameLog(run.logFile, request.root)
  const place = log === undefined ? '' : ` Log: ${log}.`
  const sentence = /[.!?]$/.test(why) ? why : `${why}.`
  throw new MdtestError('LOGIN_FAILED', `\`${relative(request.root, file)}\` did not pass: ${sentence}${place}`, {
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

/** Finds what drives a browser for blocks, and makes a folder for it. It begins with what logins of this run left. */
export async function openBlockBrowser(
  { settings, users, savedLogins: saved, ...place }: BrowserRequest,
  { browsers, processes, env }: Pick<AgentContext, 'browsers' | 'processes' | 'env'>,
): Promise<BrowserStart> {
  const executablePath = await browsers.program(settings, env)
  const storageStates = new Map<string, string>()
  const refusals = new Map<string, string>()
  for (const user of users) {
    const login = planLogin(user, { ...place, saved })
    try {
      const state = login && (await browsers.leftBy({ login, ...settings }))
      if (state !== undefined) storageStates.set(user, state)
    } catch (error: unknown) {
      refusals.set(user, messageOf(error))
    }
  }
  const starts = { storageStates: Object.fromEntries(storageStates), refusals: Object.fromEntries(refusals) }
  return blockBrowser({ home: processes.makeBrowserDir(), executablePath, ...starts }, settings, env)
}
