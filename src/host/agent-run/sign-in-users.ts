import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { blockBrowser, type BrowserStart } from '../../agents/browser/block-browser.ts'
import { loginKey, planLogin, savedLoginFile, saveLogin, type Login } from '../../agents/browser/logins.ts'
import { withEnvFile } from '../../agents/env-file.ts'
import { reserveLogs } from '../../records/folders/log-paths.ts'
import { messageOf } from '../../system/error-facts.ts'
import { makeFolder } from '../../system/files/write-file.ts'
import { ownCommand } from '../../system/own-package.ts'
import { loginFileOf } from '../../system/spec-endings.ts'
import type { BrowserRequest } from '../protocol/protocol.ts'
import { LoginFailed, type AgentContext, type LoginRecord } from './agent-task.ts'
import { nameScreenshot } from './run-login.ts'

type Place = Pick<BrowserRequest, 'specFile' | 'root' | 'settings' | 'savedLogins'>
type Context = Pick<AgentContext, 'browsers' | 'processes' | 'env' | 'runMark' | 'signal'>

/** Gets an agent to carry out the login; returns the file with cookies and storage. */
export type LogIn = (login: Login & { readonly file: string }) => Promise<string>

/**
 * Signs users in, in parallel and once per run. Returns a file with cookies and storage for each user name.
 * @throws {MdtestError} `LOGIN_FAILED`
 */
export async function signIn(
  users: readonly string[],
  beginning: Beginning,
): Promise<Readonly<Record<string, string>>> {
  const { place } = beginning
  const states = users.map(async (user): Promise<readonly (readonly [string, string])[]> => {
    const login = planLogin(user, { ...place, saved: place.savedLogins })
    return login === undefined ? [] : [[user, await beginOnce(login, beginning)]]
  })
  return Object.fromEntries((await Promise.all(states)).flat())
}

async function beginOnce(login: Login, beginning: Beginning): Promise<string> {
  const { place, context, logIn } = beginning
  const { browsers, signal } = context
  const key = loginKey(login, place.settings)
  try {
    return await browsers.login(key, () => begin(login, beginning))
  } catch (error: unknown) {
    const isUntried = error instanceof NeedsAgent
    if (signal.aborted || isUntried) browsers.forgetLogin(key)
    // The shared login failed because another scenario had no agent for it. This scenario has an agent: try again.
    if (isUntried && logIn !== undefined) return beginOnce(login, beginning)
    throw error
  }
}

/** This scenario has no agent for the login, but another scenario of the run may have one. */
class NeedsAgent extends LoginFailed {}

interface Beginning {
  readonly place: Place
  readonly context: Context
  readonly logIn?: LogIn | undefined
}

async function begin(login: Login, { place, context, logIn }: Beginning): Promise<string> {
  const { user, file, storageState } = login
  const { root } = place
  const renew = `sign in by hand with \`${ownCommand} login${user && ` ${user}`}\``
  if (storageState !== undefined) {
    const name = relative(root, storageState)
    const isThere = existsSync(storageState)
    const refused = isThere
      ? await checkSignedIn(storageState, login, { place, context })
      : { why: `\`${name}\` is not there.` }
    if (refused === undefined) return storageState
    const { why, record } = refused
    if (file === undefined)
      throw new LoginFailed(isThere ? `\`${name}\` has expired: ${why}` : why, {
        record,
        hint: `Renew it as it was made, with Playwright's set-up project for example. Or ${renew}. With \`${loginFileOf(user)}\` mdtest renews it by itself.`,
      })
  }
  if (file === undefined || logIn === undefined)
    throw new NeedsAgent(`\`${loginFileOf(user)}\` needs an agent, and here none may be started.`, {
      hint: `Save one before: ${renew}, and give the login a \`signed-in\` text.`,
    })
  const made = await logIn({ ...login, file })
  const refused = await checkSignedIn(made, login, { place, context })
  if (refused === undefined) {
    const own = savedLoginFile(root, user)
    if (place.settings.savesLogins && (storageState ?? own) === own) saveLogin(own, readFileSync(made), root)
    return made
  }
  throw new LoginFailed(`\`${relative(root, file)}\` passed, and nobody is signed in: ${refused.why}`, {
    record: refused.record,
    hint: 'Correct the login, its `signed-in` text or the application, then run again.',
  })
}

const limitMs = 30_000

interface Refused {
  readonly why: string
  readonly record?: LoginRecord
}

/** Looks for the `signed-in` text at the base URL. Returns `undefined` if the page shows the text. */
async function checkSignedIn(
  storageState: string,
  { user, file, signedIn }: Login,
  { place: { root, settings }, context }: Omit<Beginning, 'logIn'>,
): Promise<Refused | undefined> {
  if (signedIn === undefined) return undefined
  const { baseUrl } = settings
  if (baseUrl === undefined) return { why: '`signed-in` needs the address of the application, `base-url`.' }
  const { browsers, processes, env, runMark } = context
  const { createScenarioBrowser } = await import('../../blocks/browser/scenario-browser.ts')
  const executablePath = await browsers.program(settings, env)
  const launcher = await processes.launcher()
  const browser = createScenarioBrowser({
    ...{ runMark, baseUrl, launcher: () => launcher, onStart: processes.add, onEnd: processes.remove },
    async open() {
      const home = processes.makeBrowserDir()
      return {
        ok: true,
        start: blockBrowser(
          { home, executablePath, storageStates: { [user]: storageState } },
          settings,
          withEnvFile(env, root),
        ),
      }
    },
  })
  const rest = {
    language: 'js',
    directory: root,
    captures: {},
    secrets: {},
    waitMs: undefined,
    tellsCalls: false,
  } as const // literals
  const run = async (code: string): Promise<string | undefined> => {
    const reply = await browser.run({ page: 'spec', user, code, baseUrl, timeoutMs: limitMs, ...rest }, () => {})
    return reply.kind === 'fault' ? reply.message : undefined
  }
  try {
    const opened = await run(`await page.goto(${JSON.stringify(baseUrl)})`)
    const fault = opened ?? (await run(`await page.getByText(${JSON.stringify(signedIn)}).first().waitFor()`))
    if (fault === undefined) return undefined
    const specFile = file ?? join(root, loginFileOf(user))
    const {
      ground,
      evidence: evidenceDir,
      log: logFile,
    } = await reserveLogs({ specFile, root, now: new Date(), keep: 10 })
    makeFolder(ground, evidenceDir)
    const record: LoginRecord = { logFile, evidenceDir, screenshot: 'end.jpg' }
    await run(`await page.screenshot({ path: ${JSON.stringify(join(evidenceDir, 'end.jpg'))}, type: 'jpeg' })`)
    return { why: `${opened ?? `${baseUrl} does not show \`${signedIn}\`.`}${nameScreenshot(record, root)}`, record }
  } finally {
    await browser.close()
  }
}

/** Prepares a browser for blocks: program, folder, and for each user a login or the reason why it failed. */
export async function openBlockBrowser(
  { users, ...place }: BrowserRequest,
  context: Omit<Context, 'signal'>,
): Promise<BrowserStart> {
  const { settings } = place
  const { browsers, processes, env } = context
  const executablePath = await browsers.program(settings, env)
  const { signal } = new AbortController()
  const storageStates: Record<string, string> = {}
  const refusals: Record<string, string> = {}
  await Promise.all(
    users.map(async (user) => {
      try {
        Object.assign(storageStates, await signIn([user], { place, context: { ...context, signal } }))
      } catch (error: unknown) {
        // The unnamed user needs no login here: a block may sign in.
        if (user !== '' || !(error instanceof NeedsAgent)) refusals[user] = messageOf(error)
      }
    }),
  )
  const starts = { home: processes.makeBrowserDir(), executablePath, storageStates, refusals }
  return blockBrowser(starts, settings, withEnvFile(env, place.root))
}
