import type { AttachedServers } from './attached-servers.ts'
import type { BrowserSettings } from './browser/browser-settings.ts'
import type { BrowserPart } from './browser/browser-task.ts'
import type { Browsers } from './browser/browsers.ts'

/** What a scenario asks of its agent besides the words of the spec. */
export interface AgentNeeds {
  /** For every agent, by options and front matter. */
  readonly mcpServers: AttachedServers
  /** Whether the spec requires a browser. An agent may have one in any case. */
  readonly needsBrowser: boolean
  readonly browser: BrowserSettings
  /** How many steps are to be reported. */
  readonly stepCount: number
  /** What it may cost, in US dollars. Default: there is no limit. */
  readonly costLimitUsd?: number | undefined
  readonly root: string
  /** That of mdtest. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** What the agents of one run share. */
  readonly browsers: Browsers
}

/** An agent that lacks nothing: it can be given what it needs. */
export interface ReadyAgent {
  /** Whether it works in a browser that can begin with what a login left. */
  readonly takesLogin: boolean
  /** Makes what the agent works with in one scenario. Called once, when its logs have a place. */
  equip(place: ScenarioPlace): Equipment
}

/** Where one scenario leaves things. Paths are absolute. */
export interface ScenarioPlace {
  /** Folder for screenshots and downloads. */
  readonly evidenceDir: string
  /** Makes a short path of an empty private folder, which is gone after the agent. */
  makeHome(): string
  /** Cookies and storage that a browser begins with. */
  readonly storageState?: string | undefined
  /** Where a browser leaves cookies and storage at its end. */
  readonly storageStateOut?: string | undefined
}

/** What an agent works with, as its request has it. */
export interface Equipment {
  /** MCP servers besides mdtest's own, by name. */
  readonly mcpServers: AttachedServers
  /** Absolute path of a private folder with settings of its own. */
  readonly settingsHome?: string
  /** For an agent that drives a browser itself. */
  readonly browser?: BrowserPart
}
