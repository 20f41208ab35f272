import type { McpServers } from '../spec/front-matter/front-matter.ts'
import type { BrowserSettings } from './browser/browser-settings.ts'
import type { BrowserPart, StorageStates } from './browser/browser-task.ts'
import type { Browsers } from './browser/browsers.ts'

/** What a scenario asks of its agent besides the words of the spec. */
export interface AgentNeeds {
  readonly mcpServers: McpServers
  /** An agent may have one in any case. */
  readonly needsBrowser: boolean
  readonly browser: BrowserSettings
  readonly stepCount: number
  readonly costLimitUsd?: number | undefined
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly browsers: Browsers
}

export interface ReadyAgent {
  /** Whether it works in a browser that can begin with what a login left. */
  readonly takesLogin: boolean
  /** Makes what the agent works with in one scenario. Called once, when its logs have a place. */
  equip(place: ScenarioPlace): Equipment
}

export interface ScenarioPlace {
  /** Absolute path of the directory that the agent works in. */
  readonly cwd: string
  readonly evidenceDir: string
  /** Makes a short path of an empty private folder, which is gone after the agent. */
  makeHome(): string
  /** Who acts first, and files with cookies and storage that browsers of users begin with. */
  readonly users: { readonly first: string; readonly storageStates: StorageStates }
  /** File for what the browser leaves. */
  readonly storageStateOut?: string | undefined
}

export interface Equipment {
  readonly mcpServers: McpServers
  /** A private folder with settings of its own. */
  readonly settingsHome?: string
  readonly browser?: BrowserPart
  /** Has its browser tools act as this user from now on. */
  actAs?(user: string): void
}
