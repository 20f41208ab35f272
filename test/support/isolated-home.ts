import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { furnishHome, type AcpCli } from './acp-homes.ts'
import { hostileViteName } from './hostile-name.ts'

export interface IsolatedHome extends Disposable {
  /** Real path of the folder that holds all the rest; removed on dispose. */
  readonly root: string
  /** An empty directory for the project under test. */
  readonly work: string
  /** Whole environment that keeps the CLIs on loopback and away from the user's own configuration. */
  readonly env: Readonly<Record<string, string>>
}

/** A home for Claude Code, Codex and agents that speak ACP in which the model at `modelUrl` is the only thing they can talk to. */
export function createIsolatedHome({
  modelUrl,
  path,
  codexModel = 'gpt-5.5',
  workName = hostileViteName,
  acpClis = [],
}: {
  readonly modelUrl: string
  /** PATH of the agent: the folder with the CLIs first. */
  readonly path: string
  /** Decides codex's tools: `gpt-5.5` classic, `gpt-6.1-sol` code mode. */
  readonly codexModel?: string
  /** Name of the folder `work`. */
  readonly workName?: string
  /** Those that are to be used, besides Claude Code and Codex. */
  readonly acpClis?: readonly AcpCli[]
}): IsolatedHome {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'mdt-')))
  const folder = (name: string): string => {
    const made = join(root, name)
    mkdirSync(made, { recursive: true })
    return made
  }
  const work = folder(workName)
  const claudeHome = folder('home/.claude')
  const codexHome = folder('home/.codex')
  writeFileSync(join(claudeHome, '.claude.json'), claudeState(work))
  writeFileSync(join(codexHome, 'config.toml'), codexConfig({ modelUrl, model: codexModel, work }))
  const env = {
    PATH: path,
    HOME: join(root, 'home'),
    TERM: 'xterm-256color',
    // Both CLIs leave sockets and scratch folders there. Short: socket paths have a limit.
    TMPDIR: folder('t'),
    // Whatever still tries to leave meets a closed port, without a DNS query.
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
    CLAUDE_CONFIG_DIR: claudeHome,
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_AUTH_TOKEN: 'test',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
    CODEX_HOME: codexHome,
    LOCAL_MODEL_KEY: 'test',
    ...Object.assign({}, ...acpClis.map((cli) => furnishHome(cli, { home: join(root, 'home'), modelUrl }))),
  }
  return {
    root,
    work,
    env,
    [Symbol.dispose]() {
      rmSync(root, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Without these Claude's terminal screens begin with onboarding and a question about trust. */
function claudeState(work: string): string {
  return JSON.stringify({ hasCompletedOnboarding: true, projects: { [work]: { hasTrustDialogAccepted: true } } })
}

function codexConfig({
  modelUrl,
  model,
  work,
}: {
  readonly modelUrl: string
  readonly model: string
  readonly work: string
}): string {
  return `model = "${model}"
model_provider = "local"
check_for_update_on_startup = false

[model_providers.local]
name = "local"
base_url = "${modelUrl}/v1"
env_key = "LOCAL_MODEL_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[features]
plugins = false            # else it asks github.com and chatgpt.com
daemon_auto_start = false  # else a daemon stays behind

[analytics]
enabled = false

[sandbox_workspace_write]
exclude_slash_tmp = true   # else tests, which live in the temp folder, are not confined
exclude_tmpdir_env_var = true

[notice.model_migrations]
"${model}" = "gpt-6-sol"

[projects."${work}"]
trust_level = "trusted"
`
}
