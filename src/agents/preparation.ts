import type { McpServers } from '../spec/front-matter/front-matter.ts'
import type { BrowserSettings, BrowserPart, StorageStates } from './browser/browser-settings.ts'
import type { Browsers } from './browser/browsers.ts'

/** What a scenario needs from its agent, apart from the text of the spec. */
export interface AgentNeeds {
  readonly mcpServers: McpServers
  /** Whether the spec requires a browser. The agent `browser` has one in any case. */
  readonly needsBrowser: boolean
  readonly browser: BrowserSettings
  readonly stepCount: number
  readonly costLimitUsd?: number | undefined
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly browsers: Browsers
}

export interface ReadyAgent {
  /** Whether the agent has a browser that can start with the cookies and storage of a login. */
  readonly takesLogin: boolean
  /** Called once per scenario, after the folders for the agent's logs exist. */
  equip(place: ScenarioPlace): Equipment
}

export interface ScenarioPlace {
  readonly cwd: string
  readonly evidenceDir: string
  /** Creates an empty private folder with a short path, deleted after the agent has ended. */
  makeHome(): string
  readonly storageStates: StorageStates
  readonly storageStateOut?: string | undefined
}

export interface Equipment {
  readonly mcpServers: McpServers
  readonly settingsHome?: string
  readonly browser?: BrowserPart
  /** Sets the user for the agent's browser tools. Called before the agent starts, and after each report. */
  actAs?(user: string): void
}
