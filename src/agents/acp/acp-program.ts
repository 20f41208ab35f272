import type { AgentRequest } from '../agent.ts'

/** What tells one agent that speaks ACP from another. All of it is data. */
export interface AcpProgram<Name extends string> {
  readonly name: Name
  /** Its name for people. */
  readonly title: string
  /** Program looked up on PATH. */
  readonly bin: string
  /** Arguments with which it speaks ACP on its standard streams. */
  readonly args: readonly string[]
  /** Command line that installs it. */
  readonly install: string
  /** Folders at the root of a project from which it takes instructions and settings. */
  readonly ownFolders: readonly string[]
  /** Variables that it sets for its own commands. */
  readonly ownVariables: readonly string[]
  /** Whether it says what it cost. */
  readonly tellsCost: boolean
  /** Variables that make it ask before it acts. */
  readonly variables: (request: Pick<AgentRequest, 'env' | 'hands'>) => Readonly<Record<string, string>>
  /** Variables that need a password which nobody else knows. */
  readonly passwords: readonly string[]
  /** Absolute paths of folders of its state, which it writes. */
  readonly ownPaths: (env: Readonly<Record<string, string>>) => readonly string[]
}
