export interface GlobalConfig {
  readonly rootDir: string
  readonly testNamePattern?: string
  readonly updateSnapshot: 'all' | 'new' | 'none'
}

export interface ProjectConfig {
  readonly rootDir: string
  readonly transform: readonly (readonly [pattern: string, file: string, options: unknown])[]
}
