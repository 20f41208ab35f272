import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAcpAgent } from '../acp/acp-agent.ts'
import { fields, readSettings } from '../acp/settings-file.ts'

/** Qwen Code: `qwen --acp`. Seen with 0.24.4. */
export const qwenAgent = createAcpAgent({
  name: 'qwen',
  title: 'Qwen Code',
  bin: 'qwen',
  args: () => ['--acp', '--approval-mode', 'default'],
  install: 'npm install -g @qwen-code/qwen-code',
  ownFolders: ['.qwen'],
  ownVariables: [
    'QWEN_CODE',
    'QWEN_CODE_AGENT_ID',
    'QWEN_CODE_CLI',
    'QWEN_CODE_LAUNCHER_PID',
    'QWEN_CODE_MANAGED_NPM_PIN',
    'QWEN_CODE_MESSAGING_SOCKET',
    'QWEN_CODE_MESSAGING_TOKEN',
    'QWEN_CODE_NO_RELAUNCH',
    'QWEN_CODE_PRIVATE_RELAUNCH_ENV_PROVENANCE',
    'QWEN_CODE_PROJECT_DIR',
    'QWEN_CODE_PROMPT_ID',
    'QWEN_CODE_SESSION_ID',
  ],
  tellsCost: false,
  writeSettings(home, env) {
    const own = readSettings(
      env[systemSettings] ?? ownSystemSettings[process.platform] ?? '/etc/qwen-code/settings.json',
    )
    writeFileSync(settingsIn(home), JSON.stringify(askingFirst(own)))
  },
  // They outrank those of the user and of the project.
  variables: ({ settingsHome }) => (settingsHome === undefined ? {} : { [systemSettings]: settingsIn(settingsHome) }),
  passwords: [],
  ownPaths: ({ HOME: home = '', ...env }) => [env.QWEN_HOME ?? join(home, '.qwen')],
})

const systemSettings = 'QWEN_CODE_SYSTEM_SETTINGS_PATH'

const ownSystemSettings: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: '/Library/Application Support/QwenCode/settings.json',
  win32: 'C:\\ProgramData\\qwen-code\\settings.json',
}

function settingsIn(home: string): string {
  return join(home, 'settings.json')
}

/** Lists of several files are united, and what is to be asked comes before what is allowed. */
const asked = ['run_shell_command', 'edit', 'write_file', 'notebook_edit', 'web_fetch']

function askingFirst(own: Readonly<Record<string, unknown>>): object {
  const permissions = fields.parse(own.permissions)
  const ask = Array.isArray(permissions.ask) ? permissions.ask : []
  return {
    ...own,
    permissions: { ...permissions, ask: [...ask, ...asked] },
    tools: { ...fields.parse(own.tools), approvalMode: 'default' },
    disableAllHooks: true,
  }
}
