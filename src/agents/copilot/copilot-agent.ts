import { join } from 'node:path'
import { createAcpAgent } from '../acp/acp-agent.ts'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { readSettings } from '../acp/settings-file.ts'

/** GitHub Copilot CLI: `copilot --acp`. Seen with 1.0.102. */
export const copilotAgent = createAcpAgent({
  name: 'copilot',
  title: 'Copilot CLI',
  bin: 'copilot',
  args: () => ['--acp', '--no-auto-update', '--disable-builtin-mcps'],
  install: 'npm install -g @github/copilot',
  ownFolders: [],
  ownVariables: [
    'COPILOT_AGENT_SESSION_ID',
    'COPILOT_CLI',
    'COPILOT_CLI_BINARY_VERSION',
    'COPILOT_CLI_RESOLVED_DIST_DIR',
  ],
  tellsCost: false,
  quirks: { tellsTokensOfSession: true, guessesKinds: true, errorStart: 'Error: ', dropsPrograms: true },
  writeSettings: linkCopilotHome,
  variables: ({ settingsHome, executor }) => ({
    COPILOT_ALLOW_ALL: 'false',
    COPILOT_ASSISTED_APPROVAL: 'false',
    // A sandbox shows the folder of its state alone. What it does itself is refused there, and seen.
    ...(settingsHome !== undefined && executor === undefined && { COPILOT_HOME: settingsHome }),
  }),
  passwords: [],
  ownPaths: (env) => [copilotHome(env), join(env.XDG_CACHE_HOME ?? join(env.HOME ?? '', '.cache'), 'copilot')],
})

/** Absolute path of the folder in which Copilot CLI keeps settings, login and sessions. */
function copilotHome({ COPILOT_HOME, HOME = '' }: Readonly<Record<string, string | undefined>>): string {
  return COPILOT_HOME ?? join(HOME, '.copilot')
}

/** What its user has allowed once and for all in a folder: it would not ask. */
const approvals = 'permissions-config.json'
/** Its hooks may allow what they like. */
const settings = 'settings.json'

/**
 * Makes `home` (absolute path of an empty folder) a home like the user's own: login and sessions are the same, but nothing
 * is allowed in advance.
 */
function linkCopilotHome(home: string, env: Readonly<Record<string, string | undefined>>): void {
  const own = copilotHome(env)
  // Else the sessions of a first start were lost.
  mkdirSync(join(own, 'session-state'), { recursive: true })
  for (const name of readdirSync(own)) {
    if (name === approvals || name.startsWith(settings)) continue
    symlinkSync(join(own, name), join(home, name))
  }
  writeFileSync(join(home, settings), JSON.stringify({ ...readSettings(join(own, settings)), disableAllHooks: true }))
}
