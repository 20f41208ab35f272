/** What is used of Jest's configuration of a run. */
export interface GlobalConfig {
  readonly rootDir: string
  readonly testNamePattern?: string
  readonly updateSnapshot: 'all' | 'new' | 'none'
}

/** What is used of Jest's configuration of a project. */
export interface ProjectConfig {
  readonly rootDir: string
  readonly transform: readonly (readonly [pattern: string, file: string, options: unknown])[]
}
