import { join } from 'node:path'
import { createAcpAgent } from '../acp/acp-agent.ts'
import { copilotHome, linkCopilotHome } from './copilot-home.ts'

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
