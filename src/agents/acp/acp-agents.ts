import { parseJson } from '../../system/text/parse-json.ts'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import stripJsonComments from 'strip-json-comments'
import { z } from 'zod'
import { readForeignFile } from '../../system/files/read-file.ts'
import { names, type Fields } from '../agent-events.ts'
import type { Environment } from '../env-file.ts'
import { createAcpAgent } from './acp-agent.ts'

// These agents must ask mdtest before each action. Settings of the user or the project cannot change that.

/** Tested with OpenCode 1.18.33. */
export const openCodeAgent = createAcpAgent({
  name: 'opencode',
  title: 'OpenCode',
  bin: 'opencode',
  args: () => ['acp'],
  install: 'npm install -g opencode-ai',
  ownFolders: ['.opencode'],
  ownVariables: ['OPENCODE', 'OPENCODE_PID', 'OPENCODE_SERVER_PASSWORD'],
  tellsCost: true,
  variables: ({ env, executor }) => ({
    OPENCODE_CONFIG_CONTENT: JSON.stringify(
      openCodeSettings(fieldsIn(env.OPENCODE_CONFIG_CONTENT ?? ''), executor === undefined ? 'ask' : 'deny'),
    ),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
  }),
  // OpenCode listens on 127.0.0.1: without a password every user of the machine could read the session.
  passwords: ['OPENCODE_SERVER_PASSWORD'],
  ownPaths: ({ HOME: home = '', ...env }) =>
    [
      env.XDG_CONFIG_HOME ?? join(home, '.config'),
      env.XDG_DATA_HOME ?? join(home, '.local/share'),
      env.XDG_STATE_HOME ?? join(home, '.local/state'),
      env.XDG_CACHE_HOME ?? join(home, '.cache'),
    ].map((folder) => join(folder, 'opencode')),
})

function openCodeSettings(own: Fields, decision: 'ask' | 'deny'): object {
  const permission = {
    ...{ bash: decision, edit: decision, webfetch: decision },
    external_directory: 'ask',
    // Allow repeated calls without a question. mdtest has its own limits for them.
    doom_loop: 'allow',
  }
  const agent = fields.parse(own.agent)
  return {
    ...own,
    permission,
    // Repeat `permission`: a project's settings for the agent `build` would outrank the general `permission`.
    agent: { ...agent, build: { ...fields.parse(agent.build), permission } },
    default_agent: 'build',
    experimental: { ...fields.parse(own.experimental), continue_loop_on_deny: true },
    autoupdate: false,
    share: 'disabled',
  }
}

/** Tested with Gemini CLI 0.61.0. */
export const geminiAgent = createAcpAgent({
  name: 'gemini',
  title: 'Gemini CLI',
  bin: 'gemini',
  args: ({ cwd, root = cwd, logFile, settingsHome }) => [
    ...['--acp', '--skip-trust', '--approval-mode', 'default'],
    ...(settingsHome === undefined ? [] : ['--admin-policy', join(settingsHome, geminiPolicy)]),
    // Gemini CLI can read only files in these folders, and never asks mdtest for other files.
    ...[root, dirname(logFile)].flatMap((folder) => ['--include-directories', folder]),
  ],
  install: 'npm install -g @google/gemini-cli',
  ownFolders: ['.gemini'],
  ownVariables: ['GEMINI_CLI', 'GEMINI_CLI_NO_RELAUNCH'],
  tellsCost: false,
  hidesOutputs: true,
  writeSettings(home) {
    // The high priority matters: without it, a policy of the user could allow these tools without a question.
    const tools = ['run_shell_command', 'write_file', 'replace', 'web_fetch']
    const rule = `[[rule]]\ntoolName = ${JSON.stringify(tools)}\ndecision = "ask_user"\npriority = 999\n`
    writeFileSync(join(home, geminiPolicy), rule)
  },
  // Without this variable Gemini CLI restarts itself as a child, and the first process ignores SIGTERM.
  variables: () => ({ GEMINI_CLI_NO_RELAUNCH: 'true' }),
  quirks: { namesToolsInIds: true },
  ownPaths: ({ GEMINI_CLI_HOME: own, HOME: home = '' }) => [join(own || home, '.gemini')],
})

const geminiPolicy = 'policy.toml'

/** Tested with Copilot CLI 1.0.102. */
export const copilotAgent = createAcpAgent({
  name: 'copilot',
  title: 'Copilot CLI',
  bin: 'copilot',
  args: () => ['--acp', '--no-auto-update', '--disable-builtin-mcps'],
  install: 'npm install -g @github/copilot',
  ownVariables: names(`
    COPILOT_AGENT_SESSION_ID COPILOT_CLI COPILOT_CLI_BINARY_VERSION COPILOT_CLI_RESOLVED_DIST_DIR`),
  tellsCost: false,
  quirks: { tellsTokensOfSession: true, guessesKinds: true, errorStart: 'Error: ', dropsPrograms: true },
  writeSettings: linkCopilotHome,
  variables: ({ settingsHome, executor }) => ({
    COPILOT_ALLOW_ALL: 'false',
    COPILOT_ASSISTED_APPROVAL: 'false',
    // With an executor, Copilot keeps the user's home, because the sandbox hides `settingsHome`.
    ...(settingsHome !== undefined && executor === undefined && { COPILOT_HOME: settingsHome }),
  }),
  ownPaths: (env) => [copilotHome(env), join(env.XDG_CACHE_HOME ?? join(env.HOME ?? '', '.cache'), 'copilot')],
})

function copilotHome({ COPILOT_HOME, HOME = '' }: Environment): string {
  return COPILOT_HOME ?? join(HOME, '.copilot')
}

/** Links the user's Copilot home into the empty folder `home`: login and sessions stay, permissions do not. */
function linkCopilotHome(home: string, env: Environment): void {
  const own = copilotHome(env)
  // Create the folder before it is linked. Otherwise Copilot would save its sessions in the temporary `home`.
  mkdirSync(join(own, 'session-state'), { recursive: true })
  for (const name of readdirSync(own)) {
    if (name === 'permissions-config.json' || name.startsWith('settings.json')) continue
    symlinkSync(join(own, name), join(home, name))
  }
  writeFileSync(settingsIn(home), JSON.stringify({ ...readSettings(settingsIn(own)), disableAllHooks: true }))
}

/** Tested with Qwen Code 0.24.4. */
export const qwenAgent = createAcpAgent({
  name: 'qwen',
  title: 'Qwen Code',
  bin: 'qwen',
  args: () => ['--acp', '--approval-mode', 'default'],
  install: 'npm install -g @qwen-code/qwen-code',
  ownFolders: ['.qwen'],
  ownVariables: names(`
    QWEN_CODE QWEN_CODE_AGENT_ID QWEN_CODE_CLI QWEN_CODE_LAUNCHER_PID QWEN_CODE_MANAGED_NPM_PIN
    QWEN_CODE_MESSAGING_SOCKET QWEN_CODE_MESSAGING_TOKEN QWEN_CODE_NO_RELAUNCH
    QWEN_CODE_PRIVATE_RELAUNCH_ENV_PROVENANCE QWEN_CODE_PROJECT_DIR QWEN_CODE_PROMPT_ID QWEN_CODE_SESSION_ID`),
  tellsCost: false,
  writeSettings(home, env) {
    const own = readSettings(
      env[qwenSystemSettings] ?? systemSettings[process.platform] ?? '/etc/qwen-code/settings.json',
    )
    const permissions = fields.parse(own.permissions)
    const ask: unknown[] = Array.isArray(permissions.ask) ? permissions.ask : []
    const settings = {
      ...own,
      // Qwen Code merges the lists of all settings files. `ask` outranks `allow`, so the user's `allow` has no effect.
      permissions: {
        ...permissions,
        ask: [...ask, 'run_shell_command', 'edit', 'write_file', 'notebook_edit', 'web_fetch'],
      },
      tools: { ...fields.parse(own.tools), approvalMode: 'default' },
      disableAllHooks: true,
    }
    writeFileSync(settingsIn(home), JSON.stringify(settings))
  },
  variables: ({ settingsHome }) =>
    settingsHome === undefined ? {} : { [qwenSystemSettings]: settingsIn(settingsHome) },
  ownPaths: ({ HOME: home = '', ...env }) => [env.QWEN_HOME ?? join(home, '.qwen')],
})

const qwenSystemSettings = 'QWEN_CODE_SYSTEM_SETTINGS_PATH'

const systemSettings: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: '/Library/Application Support/QwenCode/settings.json',
  win32: 'C:\\ProgramData\\qwen-code\\settings.json',
}

function settingsIn(home: string): string {
  return join(home, 'settings.json')
}

const fields = z.record(z.string(), z.unknown()).catch({})

export function readSettings(file: string): Fields {
  return fieldsIn(readForeignFile(file, 16 * 1024 * 1024)?.toString('utf8') ?? '')
}

function fieldsIn(json: string): Fields {
  return fields.parse(parseJson(stripJsonComments(json, { trailingCommas: true })))
}
