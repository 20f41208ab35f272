import { blockBrowser, blockLaunch } from '../../agents/browser/block-browser.ts'
import type { Browsers } from '../../agents/browser/browsers.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import type { LiveTrees } from '../../system/process/launcher/live-trees.ts'
import type { BrowserAnswer, BrowserRequest } from '../protocol/protocol.ts'
import { findLogin } from './run-login.ts'

interface OpenContext {
  readonly browsers: Browsers
  readonly processes: Pick<LiveTrees, 'makeBrowserDir'>
  readonly env: NodeJS.ProcessEnv
}

/**
 * Finds what drives a browser for the browser blocks of a scenario, and makes a folder for it. It begins with what a login
 * of this run has left.
 */
export async function openBlockBrowser(
  { specFile, root, settings }: BrowserRequest,
  { browsers, processes, env }: OpenContext,
): Promise<BrowserAnswer> {
  try {
    const executablePath = await browsers.program(settings, env)
    const file = findLogin({ specFile, root })
    const storageState = file === undefined ? undefined : await browsers.leftBy({ file, ...settings })
    const home = processes.makeBrowserDir()
    const launch = {
      home,
      executablePath,
      ...(storageState !== undefined && { storageState }),
    }
    return { ok: true, start: blockBrowser(blockLaunch(launch, settings), env) }
  } catch (error: unknown) {
    if (error instanceof MdtestError) return { ok: false, message: error.message }
    throw error
  }
}
