/** A command that the agent ran or a file that it read: only what a recording needs. */
export interface CommandCall {
  readonly kind: 'command'
  readonly step: string
  readonly command: string
  readonly cwd: string
  readonly exitCode: number
  readonly output: string
  /** Whether the command only reads. A recording can leave out such a command. */
  readonly isLook: boolean
}

export interface ServiceCall extends Pick<CommandCall, 'step' | 'command' | 'cwd'> {
  readonly kind: 'service'
}

export interface EditCall {
  readonly kind: 'edit'
  readonly step: string
  readonly file: string
  readonly content: string
}

export interface McpCall {
  readonly kind: 'mcp'
  readonly step: string
  readonly server: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly output: string
  readonly isError: boolean
}

export interface BrowserCall extends Omit<McpCall, 'kind' | 'server'> {
  readonly kind: 'browser'
}

export interface UnrepeatableCall {
  readonly kind: 'unrepeatable'
  readonly step: string
  readonly why: string
}

export type AgentCall = CommandCall | ServiceCall | EditCall | McpCall | BrowserCall | UnrepeatableCall
