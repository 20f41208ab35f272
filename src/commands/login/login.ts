import { join, relative, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { blockBrowser, type BrowserStart } from '../../agents/browser/block-browser.ts'
import { Browsers } from '../../agents/browser/browsers.ts'
import { planLogin, savedLoginFile, saveLogin } from '../../agents/browser/saved-logins.ts'
import { playwright } from '../../agents/browser/playwright-package.ts'
import { withoutCredentials } from '../../spec/browser/credentials.ts'
import { loginForm, userName } from '../../spec/front-matter/servers-and-logins.ts'
import { createGit, isInWorkTree, succeeds } from '../../system/git/git.ts'
import { command, flag, type CommandSyntax } from '../common/define-command.ts'
import { interruptedBy, SetUpError } from '../common/cli.ts'
import { suiteRootFlag, webAddress } from '../common/flags.ts'
import { suiteOptions, suiteRoot } from '../common/suite.ts'
import { withLiveTrees } from '../common/with-live-trees.ts'

export const loginSyntax = {
  command: 'login',
  usage: ['[USER] [options]'],
  about: `Opens a browser in which you sign in by hand, and saves its cookies and storage, so that browser specs start
as this user. Press Enter, or close the window, once you are signed in.`,
  flags: {
    dir: suiteRootFlag,
    baseUrl: flag('--base-url URL', 'address of the web application (default: the option `baseUrl`)', {
      read: webAddress,
    }),
    ignoreHttpsErrors: flag('--ignore-https-errors', 'let the browser open pages with an untrusted certificate'),
    outputFile: flag('--output-file FILE', 'where to save (default: the file that the login names, or .mdtest/logins)'),
  },
  examples: ['admin --base-url http://127.0.0.1:3000'],
  exitCodes: '0 saved, 2 nothing was saved, 130/143 interrupted.',
} satisfies CommandSyntax

export const login = command(loginSyntax, async (given, { cwd, env, stdin, stdout, signal }) => {
  const root = await suiteRoot(given.dir, cwd)
  const [user = '', ...others] = given.paths
  if (others.length > 0 || (user !== '' && (user === 'none' || !userName.test(user))))
    throw new SetUpError(`\`mdtest login\` takes one user: ${loginForm.replace('`none`, or ', '')}.`)
  const options = await suiteOptions(root)
  const application = given.baseUrl ?? options.baseUrl
  if (application === undefined)
    throw new SetUpError('Where is the web application? Name it with `--base-url URL` or with the option `baseUrl`.')
  const { baseUrl, credentials } = withoutCredentials(application)
  const named = planLogin(user, { specFile: join(root, 'any.md'), root })?.storageState
  const own = savedLoginFile(root, user)
  const file = given.outputFile === undefined ? (named ?? own) : resolve(cwd, given.outputFile)
  const name = relative(root, file)
  const git = createGit(root, env)
  if (file !== own && (await isInWorkTree(git)) && !(await succeeds(git, 'check-ignore', '-q', '--', file)))
    throw new SetUpError(
      `git would track \`${name}\`, which opens the account to whoever reads it. Add it to \`.gitignore\`, or leave out \`--output-file\`.`,
    )
  const settings = { isHeaded: true, ignoresHttpsErrors: given.ignoreHttpsErrors ?? options.ignoreHttpsErrors, baseUrl }
  const executablePath = await new Browsers().program(settings, env)
  stdout.write(`Sign in${user && ` as \`${user}\``}, then press Enter here or close the window.\n`)
  const state = await withLiveTrees(({ trees }) => {
    const place = { executablePath, home: trees.makeBrowserDir() }
    const start = blockBrowser(place, { ...settings, ...(credentials && { credentials }) }, env)
    return signInByHand(start, { baseUrl, stdin, signal })
  })
  if (signal.aborted) return interruptedBy(signal)
  if (state.cookies.length + state.origins.length === 0)
    throw new SetUpError('The browser has no cookies or storage, so you are not signed in, and nothing was saved.')
  saveLogin(file, `${JSON.stringify(state, undefined, 2)}\n`, root)
  stdout.write(`Saved in \`${name}\`: whoever reads it is signed in.\n`)
})

/** Shows a page until the user closes the page or presses Enter. Returns the browser's cookies and storage. */
async function signInByHand(
  { launchOptions, contextOptions, env }: BrowserStart,
  { baseUrl, stdin, signal }: { readonly baseUrl: string; readonly stdin: Readable; readonly signal: AbortSignal },
) {
  const chromium = await playwright().chromium.launch({ ...launchOptions, env })
  try {
    const context = await chromium.newContext({ ...contextOptions, viewport: null })
    const page = await context.newPage()
    const done = new Promise<void>((resolve) => {
      stdin.once('data', () => resolve())
      page.on('close', () => resolve())
      chromium.on('disconnected', () => resolve())
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    await page.goto(baseUrl)
    await done
    return await context.storageState().catch(() => ({ cookies: [], origins: [] }))
  } finally {
    stdin.pause()
    await chromium.close().catch(() => undefined)
  }
}
