import type { Secret } from '../system/redaction/redact-secrets.ts'
import { credentialSecrets, type Credentials } from './browser/credentials.ts'
import type { McpServers } from './front-matter/mcp-servers.ts'
import { mcpSecrets } from './front-matter/mcp-secrets.ts'

interface SettingsWithSecrets {
  readonly mcpServers: McpServers
  readonly browser: { readonly credentials?: Credentials | undefined }
}

/** What in the settings of a spec must not appear in anything that is written or shown. */
export function settingSecrets({ mcpServers, browser }: SettingsWithSecrets): readonly Secret[] {
  return [...mcpSecrets(mcpServers), ...credentialSecrets(browser.credentials)]
}
