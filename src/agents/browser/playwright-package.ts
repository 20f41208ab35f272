import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { missingPeer } from '../load-peer.ts'
import type { Playwright, PlaywrightMcp } from './server/playwright.ts'

/** What the server with Playwright's tools is called. */
export const browserServer = 'playwright'

/** Whether it is a tool of that server, Playwright's or ours. */
export function isBrowserTool(tool: string): boolean {
  return /^(?:browser_|(?:type_secret|new_address|wait_for_mail)$)/.test(tool)
}

const name = '@playwright/mcp'

function requireOfPackage(): NodeJS.Require {
  const { resolve } = createRequire(import.meta.url)
  try {
    return createRequire(resolve(`${name}/package.json`))
  } catch (error: unknown) {
    throw missingPeer(name, error)
  }
}

/** Absolute path of the folder of Playwright itself. @throws {MdtestError} where the package is missing. */
export function playwrightFolder(): string {
  return dirname(requireOfPackage().resolve('playwright-core/package.json'))
}

export function playwright(): Playwright {
  return requireOfPackage()(playwrightFolder()) as Playwright // by its documentation
}

export function playwrightMcp(): PlaywrightMcp {
  return requireOfPackage()(name) as PlaywrightMcp // by its documentation
}

/** Half a sentence; `undefined` where an agent can get a browser. Chrome is looked for when it is needed. */
export function whyNoBrowser(): string | undefined {
  try {
    playwrightFolder()
    return undefined
  } catch {
    return `the package \`${name}\` is not installed`
  }
}
