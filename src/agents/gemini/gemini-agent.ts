import { dirname, join } from 'node:path'
import { createAcpAgent } from '../acp/acp-agent.ts'
import { ownFile } from '../../system/own-package.ts'

/** Gemini CLI: `gemini --acp`. Seen with 0.61.0. */
export const geminiAgent = createAcpAgent({
  name: 'gemini',
  title: 'Gemini CLI',
  bin: 'gemini',
  // Policies of its user would let calls through that it then does not ask for; this one outranks them.
  args: ({ cwd, root = cwd, logFile }) => [
    ...['--acp', '--skip-trust', '--approval-mode', 'default', '--admin-policy', ownFile('#gemini-policy')],
    // Of other folders it reads nothing, and asks for nothing.
    ...[root, dirname(logFile)].flatMap((folder) => ['--include-directories', folder]),
  ],
  install: 'npm install -g @google/gemini-cli',
  ownFolders: ['.gemini'],
  ownVariables: ['GEMINI_CLI', 'GEMINI_CLI_NO_RELAUNCH'],
  tellsCost: false,
  hidesOutputs: true,
  // Else it starts itself again, and its first process takes no notice of SIGTERM.
  variables: () => ({ GEMINI_CLI_NO_RELAUNCH: 'true' }),
  quirks: { namesToolsInIds: true },
  passwords: [],
  ownPaths: (env) => [folderOf(env)],
})

/** It takes an empty variable for none. */
function folderOf({ GEMINI_CLI_HOME: own = '', HOME: home = '' }: Readonly<Record<string, string>>): string {
  return join(own === '' ? home : own, '.gemini')
}
