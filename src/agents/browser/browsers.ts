import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findOnPath } from '../../system/files/paths.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { runProgram } from '../../system/process/run-program.ts'
import type { Environment } from '../env-file.ts'
import type { BrowserSettings, ModelChoice } from './browser-settings.ts'
import { createModel, resolveModel } from './model.ts'
import { playwrightFolder } from './playwright-package.ts'

export class Browsers {
  /** Files with cookies and storage, by login. A login runs once, and all specs share its file. */
  readonly logins = new Map<string, Promise<string>>()
  #program: Promise<string> | undefined

  /** Checks base URL, model, key, packages and browser, without a request. @throws {MdtestError} if one is missing. */
  async ready(settings: BrowserSettings, env: Environment): Promise<{ model: ModelChoice; executablePath: string }> {
    if (settings.baseUrl === undefined) {
      throw new MdtestError('OPTION_INVALID', 'Browser specs need the address of the web application.', {
        hint: 'Give it with `--base-url`, with `base-url` in the front matter or with the option `baseUrl`.',
      })
    }
    const model = resolveModel(settings, env)
    await createModel(model)
    return { model, executablePath: await this.program(settings, env) }
  }

  /** Path of Chrome or Chromium. @throws {MdtestError} that says what is missing. */
  async program({ isHeaded }: Pick<BrowserSettings, 'isHeaded'>, env: Environment): Promise<string> {
    const { DISPLAY: display, WAYLAND_DISPLAY: wayland } = env
    if (isHeaded && process.platform === 'linux' && !display && !wayland) {
      throw new MdtestError('OPTION_INVALID', 'There is no display to show the browser on.', {
        hint: 'Leave out `--headed` or the option `headed`, or set `DISPLAY`, as `xvfb-run` does.',
      })
    }
    return await (this.#program ??= findBrowser(env))
  }

  reset(): void {
    this.logins.clear()
    this.#program = undefined
  }
}

const names = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'chrome']

async function findBrowser(env: Environment): Promise<string> {
  const playwright = playwrightFolder()
  const found = findChrome(env)
  if (found !== undefined) return found
  // Ask a child process: in this process the package would stay loaded.
  const program = `process.stdout.write(require(${JSON.stringify(playwright)}).chromium.executablePath())`
  const { stdout } = await runProgram([process.execPath, '-e', program], { cwd: playwright, env })
  const file = stdout.toString()
  if (existsSync(file)) return file
  throw new MdtestError('AGENT_BROWSER_MISSING', 'There is no Chrome or Chromium.', {
    hint: 'Install one, or run `npx playwright install chromium`.',
  })
}

export function findChrome(env: Environment, usual: readonly string[] = usualPlaces(env)): string | undefined {
  const place = { path: env.PATH ?? '', cwd: '/' }
  return [...usual, ...names].map((name) => findOnPath(name, place)).find((file) => file !== undefined)
}

function usualPlaces({ HOME: home }: Environment): readonly string[] {
  if (process.platform !== 'darwin') {
    return ['/opt/google/chrome/chrome', ...names.map((name) => join('/usr/bin', name)), '/snap/bin/chromium']
  }
  const folders = ['/Applications', ...(home === undefined ? [] : [join(home, 'Applications')])]
  return folders.flatMap((folder) =>
    ['Google Chrome', 'Chromium'].map((app) => join(folder, `${app}.app`, 'Contents/MacOS', app)),
  )
}
