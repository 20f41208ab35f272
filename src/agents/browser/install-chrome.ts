import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { MdtestError } from '../../shared/mdtest-error.ts'
import { playwrightProgram } from './playwright-server.ts'

type Environment = Readonly<Record<string, string | undefined>>

const run = promisify(execFile)
/** For some 200 MB. */
const timeoutMs = 600_000

/**
 * Absolute path of the Chromium of Playwright, which is installed where it is not there yet.
 * @throws {MdtestError} `AGENT_BROWSER_MISSING` where that fails.
 */
export async function installChrome(env: Environment): Promise<string> {
  const playwright = join(dirname(createRequire(playwrightProgram()).resolve('playwright-core/package.json')))
  const known = await executablePath(playwright, env)
  if (existsSync(known)) return known
  try {
    await run(process.execPath, [join(playwright, 'cli.js'), 'install', 'chromium'], {
      env: { ...env },
      timeout: timeoutMs,
    })
  } catch (error: unknown) {
    throw missing(error)
  }
  if (existsSync(known)) return known
  throw missing(undefined)
}

/** Asked in a process of its own: the package would stay loaded. */
async function executablePath(playwright: string, env: Environment): Promise<string> {
  const program = `process.stdout.write(require(${JSON.stringify(playwright)}).chromium.executablePath())`
  const { stdout } = await run(process.execPath, ['-e', program], { env: { ...env } })
  return stdout
}

function missing(cause: unknown): MdtestError {
  const lines = cause instanceof Error ? cause.message.split('\n').filter((line) => /error|fail/i.test(line)) : []
  const why = lines.length > 1 ? ` (${(lines.at(-1) ?? '').trim()})` : ''
  return new MdtestError(
    'AGENT_BROWSER_MISSING',
    `There is no Chrome or Chromium, and Playwright could not install one${why}.`,
    { hint: 'Install Chrome or Chromium, or run `npx playwright install chromium`.', cause },
  )
}
