/** What the files of one room may import. Node's own modules and the faces of `openRooms` are always allowed. */
export interface ImportRule {
  /** Rooms whose values and types may be imported, by their faces. */
  readonly rooms: readonly string[]
  /** Rooms of which only types may be imported. */
  readonly types?: readonly string[]
  /** Rooms that may only be imported with `import()`, or as types. */
  readonly lazy?: readonly string[]
  /** Third-party packages. */
  readonly packages?: readonly string[]
  /** Third-party packages of which only types may be imported. */
  readonly packageTypes?: readonly string[]
  /** Third-party packages that may only be imported with `import()`, or as types. */
  readonly lazyPackages?: readonly string[]
}

/** Rooms that every file may import. */
export const openRooms = ['system', 'system/files', 'system/redaction', 'system/text']

/**
 * The rooms below src/ and whom each may import. A room is a folder with all below it that is no room of its own. A file
 * that is in no room must not exist.
 */
const table: Readonly<Record<string, Partial<Record<keyof ImportRule, string>>>> = {
  agents: {
    rooms: 'permissions mcp login spec system/process',
    types: 'records',
    packages: '@modelcontextprotocol/client @modelcontextprotocol/server strip-json-comments zod',
    packageTypes: '@playwright/mcp playwright-core',
    lazyPackages: `
      @agentclientprotocol/sdk @ai-sdk/anthropic @ai-sdk/azure @ai-sdk/google @ai-sdk/openai ai`,
  },
  blocks: {
    rooms: 'blocks/expected-output mcp login spec system/process system/shell',
    types: 'agents records',
    packageTypes: 'playwright-core',
    lazyPackages: 'unbash',
  },
  'blocks/expected-output': {},
  commands: {
    rooms: 'commands/common',
    lazy: `
      commands/coverage commands/demo commands/docs commands/fix commands/gate commands/init commands/list
      commands/login commands/mcp commands/record commands/report commands/run commands/sessions commands/show`,
  },
  'commands/common': { rooms: 'agents plan plan/options spec system/process', lazy: 'vitest', packages: 'commander' },
  'commands/attempt': {
    rooms: 'agents commands/common plan plan/options spec system/git system/process test-runners',
    packages: 'zod',
  },
  'commands/project-config': { rooms: 'agents spec test-runners', packages: 'zod' },
  'commands/coverage': { rooms: 'commands/common coverage plan records spec' },
  'commands/demo': { rooms: 'agents commands/common' },
  'commands/docs': { rooms: 'commands/common' },
  'commands/fix': {
    rooms: `
      agents commands/attempt commands/common commands/fix/session commands/project-config spec system/git
      system/process test-runners`,
    lazy: 'report',
    packages: 'zod',
  },
  'commands/fix/session': { rooms: 'agents commands/attempt system/process test-runners', packages: 'zod' },
  'commands/gate': {
    rooms: `
      agents commands/attempt commands/common commands/project-config records spec system/git system/process
      test-runners`,
    packages: 'zod',
  },
  'commands/init': { rooms: 'commands/common spec', packages: 'magicast' },
  'commands/list': { rooms: 'commands/common plan plan/options records scenario spec' },
  'commands/login': { rooms: 'agents commands/common spec system/git' },
  'commands/mcp': {
    rooms: 'agents commands/common system/process test-runners',
    packages: '@modelcontextprotocol/server zod',
  },
  'commands/record': { rooms: 'commands/common commands/run' },
  'commands/report': { rooms: 'commands/common pull-request' },
  'commands/sessions': { rooms: 'commands/common commands/fix/session', packages: 'zod' },
  'commands/run': {
    rooms: 'agents commands/common plan plan/options records spec system/terminal vitest',
    packages: 'std-env',
  },
  'commands/show': { rooms: 'commands/common plan/options records' },
  coverage: { rooms: 'plan records spec', types: 'plan/options' },
  permissions: { packages: 'unbash' },
  'permissions/sandbox': { rooms: 'system/process' },
  'host/protocol': {
    rooms: 'agents records system/process',
    types: 'blocks/expected-output plan/options spec verdict',
    packageTypes: 'birpc',
  },
  'host/guard': { rooms: 'records system/git', types: 'verdict', packages: 'zod' },
  'host/evidence': {
    rooms: 'agents permissions host/guard records spec system/process',
    types: 'verdict',
    packages: 'zod',
  },
  'host/agent-reports': {
    rooms: 'host/evidence host/protocol records',
    types: 'verdict',
    packages: '@modelcontextprotocol/server zod',
  },
  'host/executor': {
    rooms: 'agents permissions host/guard host/agent-reports mcp system/process',
    types: 'host/protocol records spec',
    packages: 'unbash zod',
    packageTypes: '@modelcontextprotocol/server',
  },
  'host/agent-run': {
    rooms: `
      agents permissions permissions/sandbox host/evidence host/guard host/agent-reports records spec system/process
      system/terminal`,
    types: 'host/protocol verdict',
    lazy: 'blocks host/executor',
  },
  'host/rewrite': { rooms: 'blocks/expected-output host/guard records spec', types: 'host/protocol' },
  'host/server': {
    rooms: 'agents host/agent-run host/guard host/protocol host/rewrite system/process',
    lazy: 'host/agent-reports records',
    packages: 'birpc',
  },
  jest: {
    rooms: 'host/guard host/protocol host/server plan plan/options records scenario spec',
    lazy: 'report verdict',
    types: 'blocks verdict',
    packages: 'birpc',
  },
  mcp: { rooms: 'system/process', types: 'spec', packages: '@modelcontextprotocol/client' },
  plan: {
    rooms: 'agents permissions host/guard host/rewrite host/server plan/options records scenario spec',
    types: 'host/agent-run host/protocol verdict',
    lazy: 'recordings',
    packages: 'zod',
  },
  'plan/options': { rooms: 'agents records spec', types: 'verdict', packages: 'zod' },
  public: {
    rooms: 'jest records vitest',
    types: 'agents plan plan/options spec system/process',
  },
  'pull-request': {
    rooms: 'records report verdict',
    packages: `
      @octokit/core @octokit/plugin-paginate-rest @octokit/plugin-retry mdast-util-gfm-table mdast-util-to-markdown zod`,
    packageTypes: 'mdast',
  },
  recordings: {
    rooms: 'blocks blocks/expected-output permissions records scenario spec',
    types: 'host/rewrite verdict',
    packages: 'acorn diff unbash',
  },
  records: { packages: 'yaml zod' },
  report: {
    rooms: 'agents coverage plan records spec system/git verdict',
    packages: 'remark-rehype unified',
  },
  scenario: {
    rooms: 'blocks host/guard host/rewrite records spec system/process system/shell verdict',
    types: 'blocks/expected-output host/protocol host/server plan/options system/git',
  },
  login: { packages: 'zod', lazyPackages: 'otpauth' },
  spec: {
    rooms: 'blocks/expected-output records',
    packages: '@cucumber/gherkin @cucumber/messages remark-frontmatter remark-gfm remark-parse unified yaml zod',
    packageTypes: 'mdast',
  },
  system: { lazyPackages: 'p-map' },
  'system/files': {},
  'system/git': { rooms: 'system/process' },
  'system/process': { lazyPackages: 'execa' },
  'system/redaction': {},
  'system/shell': { rooms: 'system/process', lazyPackages: 'unbash' },
  'system/terminal': { rooms: 'system/process', lazyPackages: '@lydell/node-pty' },
  'system/text': { packages: 'fastest-levenshtein' },
  'test-runners': { rooms: 'records system/process', packages: '@rgrove/parse-xml zod' },
  verdict: { rooms: 'records spec' },
  vitest: {
    rooms: 'host/protocol host/server plan plan/options records scenario spec verdict',
    types: 'blocks host/agent-run host/rewrite',
    lazy: 'coverage pull-request recordings report',
    packages: 'vitest',
  },
}

/** By room. */
export const importTable: Readonly<Record<string, ImportRule>> = Object.fromEntries(
  Object.entries(table).map(([room, rule]) => [room, { rooms: [], ...listed(rule) }]),
)

function listed(rule: Partial<Record<keyof ImportRule, string>>): Partial<ImportRule> {
  return Object.fromEntries(Object.entries(rule).map(([what, text]) => [what, text.trim().split(/\s+/)]))
}

/** Files directly in src/, by name. */
export const rootFiles: Readonly<Record<string, ImportRule>> = {
  'bin.ts': { rooms: ['commands'] },
}
