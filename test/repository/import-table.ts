/** What the files of one folder under src/ may import. Node's own modules and `shared` are always allowed. */
export interface ImportRule {
  /** Folders whose values and types may be imported. */
  readonly folders: readonly string[]
  /** Folders of which only types may be imported. */
  readonly types?: readonly string[]
  /** Folders that may only be imported with `import()`, or as types. */
  readonly lazy?: readonly string[]
  /** Third-party packages. */
  readonly packages?: readonly string[]
  /** Third-party packages of which only types may be imported. */
  readonly packageTypes?: readonly string[]
  /** Third-party packages that may only be imported with `import()`, or as types. */
  readonly lazyPackages?: readonly string[]
}

const features = [
  'output',
  'spec',
  'result-log',
  'verdict',
  'exec',
  'blocks',
  'agents',
  'host',
  'options',
  'run',
  'suite',
  'vitest',
  'jest',
]
const later = ['report', 'runners', 'test-run', 'mcp', 'checkpoint', 'gate', 'fix']

/** The folders under src/ and who may import whom; a folder that is not here must not exist. */
export const importTable: Readonly<Record<string, ImportRule>> = {
  shared: { folders: [], packages: ['fastest-levenshtein'] },
  output: { folders: [] },
  spec: {
    folders: ['output'],
    packages: ['unified', 'remark-parse', 'remark-gfm', 'yaml', 'zod'],
    packageTypes: ['mdast'],
  },
  'result-log': { folders: [], types: ['spec'], packages: ['yaml', 'zod'] },
  verdict: { folders: ['spec'], types: ['result-log'] },
  exec: { folders: [], lazyPackages: ['@lydell/node-pty', '@xterm/headless'] },
  blocks: { folders: ['exec', 'output'], types: ['spec'] },
  agents: {
    folders: ['exec', 'spec'],
    types: ['result-log'],
    packages: ['zod'],
    lazyPackages: [
      'ai',
      '@ai-sdk/openai',
      '@ai-sdk/anthropic',
      '@ai-sdk/azure',
      '@ai-sdk/google',
      '@modelcontextprotocol/client',
    ],
  },
  host: {
    folders: ['agents', 'exec', 'output', 'result-log', 'spec', 'verdict'],
    packages: ['@modelcontextprotocol/server', 'birpc', 'zod'],
  },
  options: { folders: ['agents', 'blocks', 'exec', 'host', 'result-log', 'spec', 'verdict'], packages: ['zod'] },
  run: { folders: ['spec', 'blocks', 'result-log', 'verdict', 'host'], types: ['options', 'output'] },
  suite: { folders: ['spec', 'options', 'run', 'host'], types: ['result-log', 'verdict'] },
  vitest: {
    folders: ['spec', 'options', 'run', 'suite', 'host', 'result-log', 'verdict'],
    types: ['blocks'],
    lazy: ['report'],
    packages: ['vitest', 'vite'],
  },
  jest: { folders: ['spec', 'options', 'run', 'suite', 'host'], types: ['blocks', 'verdict'], packages: ['birpc'] },
  report: {
    folders: ['spec', 'result-log', 'verdict', 'fix'],
    packages: ['unified', 'remark-rehype', 'rehype-stringify', 'zod'],
  },
  runners: { folders: [], packages: ['@rgrove/parse-xml', 'zod'] },
  'test-run': { folders: ['runners', 'exec', 'result-log'] },
  mcp: { folders: ['test-run', 'runners'], packages: ['@modelcontextprotocol/server', 'zod'] },
  checkpoint: { folders: [], packages: ['zod'] },
  gate: { folders: ['checkpoint', 'runners', 'test-run', 'agents', 'exec', 'result-log', 'spec'], packages: ['zod'] },
  fix: {
    folders: ['checkpoint', 'runners', 'test-run', 'agents', 'exec', 'result-log'],
    types: ['spec'],
    packages: ['zod'],
  },
  cli: { folders: [...features, ...later], packages: ['std-env'] },
  public: { folders: [...features, ...later] },
}

/** Files directly in src/, by name. */
export const rootFiles: Readonly<Record<string, ImportRule>> = {
  'bin.ts': { folders: ['cli'] },
}
