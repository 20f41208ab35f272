import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { blockBrowser, type BrowserStart } from '../../agents/browser/block-browser.ts'
import { planLogin, savedLoginFile, saveLogin, type Login } from '../../agents/browser/saved-logins.ts'
import { withEnvFile } from '../../agents/env-file.ts'
import { messageOf } from '../../system/error-facts.ts'
import { ownCommand } from '../../system/mdtest-package.ts'
import { loginFileOf } from '../../system/spec-endings.ts'
import type { BrowserRequest } from '../protocol/protocol.ts'
import { LoginFailed, type AgentContext } from './agent-task.ts'
import type { LoginTask } from './run-login.ts'

interface Beginning {
  readonly place: Pick<BrowserRequest, 'specFile' | 'root' | 'settings'>
  readonly context: Pick<AgentContext, 'browsers' | 'processes' | 'env' | 'runMark'> &
    Partial<Pick<AgentContext, 'signal'>>
  /** Absent if no agent may be started. */
  readonly logIn?: LogIn | undefined
}

/** Gets an agent to carry out the login; returns the file with cookies and storage. */
export type LogIn = (login: LoginTask) => Promise<string>

/** Signs a user in, once per run. Returns a file with cookies and storage. @throws {MdtestError} `LOGIN_FAILED` */
export async function signIn(user: string, beginning: Beginning): Promise<string | undefined> {
  const { place, context, logIn } = beginning
  const { logins } = context.browsers
  const login = planLogin(user, { ...place, saved: place.settings.savedLogins })
  if (login === undefined) return undefined
  const { baseUrl, credentials } = place.settings
  // Each application needs its own login, so `baseUrl` is part of the key.
  const key = JSON.stringify([login, baseUrl, credentials])
  const begun = logins.get(key) ?? beginLogin(login, beginning)
  logins.set(key, begun)
  try {
    return await begun
  } catch (error: unknown) {
    const isUntried = error instanceof NeedsAgent
    if ((context.signal?.aborted === true || isUntried) && logins.get(key) === begun) logins.delete(key)
    // The shared login failed in a scenario without an agent. This scenario has an agent, so try once more.
    if (isUntried && logIn !== undefined) return signIn(user, beginning)
    throw error
  }
}

/** This scenario has no agent for the login, but another scenario of the run may have one. */
class NeedsAgent extends LoginFailed {}

async function beginLogin(login: Login, beginning: Beginning): Promise<string> {
  const { user, file, storageState } = login
  const { place, logIn } = beginning
  const { root } = place
  const renew = `sign in by hand with \`${ownCommand} login${user && ` ${user}`}\``
  const check = (state: string): Promise<string | undefined> => whyNotSignedIn(state, login, beginning)
  if (storageState !== undefined) {
    const isThere = existsSync(storageState)
    const why = isThere ? await check(storageState) : ''
    if (why === undefined) return storageState
    if (file === undefined)
      throw new LoginFailed(
        `\`${relative(root, storageState)}\` ${isThere ? `has expired: ${why}` : 'is not there.'}`,
        {
          hint: `Renew it as it was made, with Playwright's set-up project for example. Or ${renew}. With \`${loginFileOf(user)}\` mdtest renews it by itself.`,
        },
      )
  }
  if (file === undefined || logIn === undefined)
    throw new NeedsAgent(`\`${loginFileOf(user)}\` needs an agent, and here none may be started.`, {
      hint: `Save one before: ${renew}, and give the login a \`signed-in\` text.`,
    })
  const made = await logIn({ user, file, check })
  const own = savedLoginFile(root, user)
  if (place.settings.savesLogins && (storageState ?? own) === own) saveLogin(own, readFileSync(made), root)
  return made
}

const limitMs = 30_000

async function whyNotSignedIn(
  storageState: string,
  { user, signedIn }: Login,
  { place, context }: Beginning,
): Promise<string | undefined> {
  if (signedIn === undefined) return undefined
  const { baseUrl } = place.settings
  if (baseUrl === undefined) return '`signed-in` needs the address of the application, `base-url`.'
  const { processes, runMark } = context
  const { createScenarioBrowser } = await import('../../blocks/browser/scenario-browser.ts')
  const launcher = await processes.launcher()
  const browser = createScenarioBrowser({
    ...{ runMark, baseUrl, launcher: () => launcher, onStart: processes.add, onEnd: processes.remove },
    open: () => prepareBrowser({ place, context }, { storageStates: { [user]: storageState } }),
  })
  const code = `await page.goto(${JSON.stringify(baseUrl)})
await page.getByText(${JSON.stringify(signedIn)}).first().waitFor()`
  try {
    const reply = await browser.run(
      {
        ...{ page: 'spec', user, code, language: 'js', baseUrl, directory: place.root, captures: {}, secrets: {} },
        ...{ waitMs: undefined, timeoutMs: limitMs, tellsCalls: false },
      },
      () => {},
    )
    if (reply.kind !== 'fault') return undefined
    return reply.index === 1 ? `${baseUrl} does not show \`${signedIn}\`.` : reply.message
  } finally {
    await browser.close()
  }
}

export async function openBlockBrowser(
  { users, ...place }: BrowserRequest,
  context: Beginning['context'],
): Promise<BrowserStart> {
  const storageStates: Record<string, string | undefined> = {}
  const refusals: Record<string, string> = {}
  await Promise.all(
    users.map(async (user) => {
      try {
        storageStates[user] = await signIn(user, { place, context })
      } catch (error: unknown) {
        // The unnamed user may lack a login: a block can sign this user in.
        if (user !== '' || !(error instanceof NeedsAgent)) refusals[user] = messageOf(error)
      }
    }),
  )
  return prepareBrowser({ place, context }, { storageStates, refusals })
}

async function prepareBrowser(
  { place: { root, settings }, context: { browsers, processes, env } }: Beginning,
  users: Partial<Pick<BrowserStart, 'storageStates' | 'refusals'>>,
): Promise<BrowserStart> {
  const executablePath = await browsers.program(settings, env)
  const home = processes.makeBrowserDir()
  return blockBrowser({ home, executablePath, ...users }, settings, withEnvFile(env, root))
}
