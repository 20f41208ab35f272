import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type * as PlaywrightMcp from '@playwright/mcp'
import type * as Playwright from 'playwright-core'
import { missingPeer } from '../load-peer.ts'

/** Name of the MCP server with the browser tools. */
export const browserServer = 'playwright'

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

/** Absolute path of the package `playwright-core`. @throws {MdtestError} if `@playwright/mcp` is missing. */
export function playwrightFolder(): string {
  return dirname(requireOfPackage().resolve('playwright-core/package.json'))
}

export function playwright(): typeof Playwright {
  return requireOfPackage()(playwrightFolder()) as typeof Playwright // `require` returns `any`
}

export function playwrightMcp(): typeof PlaywrightMcp {
  return requireOfPackage()(name) as typeof PlaywrightMcp // `require` returns `any`
}

/** Returns the second half of an error message if Playwright is missing. Does not look for Chrome. */
export function whyNoBrowser(): string | undefined {
  try {
    playwrightFolder()
    return undefined
  } catch {
    return `the package \`${name}\` is not installed`
  }
}
