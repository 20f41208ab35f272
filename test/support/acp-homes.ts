import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Agents that speak ACP, by the names of their programs. */
export type AcpCli = 'copilot' | 'gemini' | 'opencode' | 'qwen'

interface Place {
  /** Absolute path of a home that is there. */
  readonly home: string
  readonly modelUrl: string
}

/** Writes the settings with which a program talks to the model at `modelUrl` alone. Gives the variables that it needs. */
export function furnishHome(cli: AcpCli, place: Place): Readonly<Record<string, string>> {
  return homes[cli](place)
}

const homes: Readonly<Record<AcpCli, (place: Place) => Readonly<Record<string, string>>>> = {
  copilot: ({ home, modelUrl }) => ({
    COPILOT_HOME: join(home, '.copilot'),
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
    COPILOT_PROVIDER_API_KEY: 'test',
    COPILOT_MODEL: 'scripted',
  }),
  gemini({ home, modelUrl }) {
    writeSettings(join(home, '.gemini/settings.json'), {
      // `auto` asks another model first, which one to ask.
      model: { name: 'gemini-2.5-flash' },
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    })
    return { GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_API_KEY: 'test' }
  },
  opencode({ home, modelUrl }) {
    const cost = { input: 1, output: 2 }
    const local = {
      npm: '@ai-sdk/openai-compatible',
      name: 'local',
      options: { baseURL: `${modelUrl}/v1`, apiKey: 'test' },
      models: { scripted: { name: 'scripted', limit: { context: 128_000, output: 8_000 }, cost } },
    }
    writeSettings(join(home, '.config/opencode/opencode.json'), {
      provider: { local },
      ...{ model: 'local/scripted', small_model: 'local/scripted', enabled_providers: ['local'] },
    })
    return {
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      // It installs a plug-in at its start, and goes on without.
      npm_config_registry: 'http://127.0.0.1:9/',
    }
  },
  qwen({ home, modelUrl }) {
    writeSettings(join(home, '.qwen/settings.json'), {
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: { auth: { selectedType: 'openai' } },
      // Else two requests more follow each turn.
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false, enableAutoSkill: false },
      ui: { enableFollowupSuggestions: false },
    })
    return { OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_API_KEY: 'test', OPENAI_MODEL: 'scripted' }
  },
}

function writeSettings(file: string, settings: object): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(settings))
}
