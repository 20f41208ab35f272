import { type Secret, minSecretLength, soundsSecret } from '../../system/redaction/secret-forms.ts'
import { credentialSecrets, decoded, type Credentials } from '../browser/credentials.ts'
import type { McpServers, McpServer } from './front-matter.ts'

/** Secrets to redact everywhere. `names`: variables that contain secrets. `others`: the secrets themselves. */
export function settingSecrets(settings: {
  readonly secrets: readonly string[]
  readonly mcpServers: McpServers
  readonly browser: { readonly credentials?: Credentials | undefined }
}): { readonly names: readonly string[]; readonly others: readonly Secret[] } {
  const { secrets, mcpServers, browser } = settings
  return { names: secrets, others: [...mcpSecrets(mcpServers), ...credentialSecrets(browser.credentials)] }
}

/** Secrets in the settings of MCP servers: values with names such as `API_KEY`, unusual headers, and tokens. */
export function mcpSecrets(servers: McpServers): readonly Secret[] {
  const found = Object.entries(servers).flatMap(([name, server]) =>
    ('url' in server ? ofHttp(server) : ofProgram(server)).map((value) => ({ name, value: value.trim() })),
  )
  return found.filter(({ value }) => value.length >= minSecretLength)
}

function ofProgram({ args = [], env = {} }: Extract<McpServer, { command: string }>): readonly string[] {
  return [
    ...Object.entries(env).flatMap(([name, value]) => (isSecretName(name) ? [value, ...inText(value)] : inText(value))),
    // Takes `VALUE` from `--api-key VALUE`.
    ...args.filter((_, index) => isSecretName(/^--?[\w-]+$/.exec(args[index - 1] ?? '')?.[0] ?? '')),
    ...args.flatMap(inText),
  ]
}

function ofHttp({ url, headers = {} }: Extract<McpServer, { url: string }>): readonly string[] {
  const own = Object.entries(headers).filter(([name]) => !plainHeaders.has(name.toLowerCase()))
  return [...inText(url), ...own.flatMap(([, value]) => [value, ...afterScheme(value)])]
}

const plainHeaders = new Set(['accept', 'accept-language', 'content-type', 'user-agent', 'origin', 'host'])

function isSecretName(name: string): boolean {
  return soundsSecret(name) || /auth|pass|credential|cookie/i.test(name)
}

function inText(text: string): readonly string[] {
  return [...ofUrl(text), ...ofPairs(text), ...text.split(/[\s"'=:,;&?/]+/).filter((word) => token.test(word))]
}

/** Finds PASSWORD in `https://user:PASSWORD@host`, also in addresses of databases. */
function ofUrl(text: string): readonly string[] {
  const password = /^[\w+]+:\/\/[^/\s:@]*:([^/\s@]+)@/.exec(text)?.[1]
  return password === undefined ? [] : [password, decoded(password)]
}

/** Finds VALUE in `--token=VALUE`, `?api_key=VALUE` and `Authorization: Bearer VALUE`. */
function ofPairs(text: string): readonly string[] {
  const pairs = text.matchAll(/([\w-]+)(?:=([^&\s]+)|:(?!\/\/) *(.+))/g)
  return [...pairs].flatMap(([, name = '', short, long]) => {
    const value = short ?? long ?? ''
    return isSecretName(name) ? [value, decoded(value), ...afterScheme(value)] : []
  })
}

function afterScheme(value: string): readonly string[] {
  const credentials = /^(?:Bearer|Basic|Token) +(\S+)$/i.exec(value)?.[1]
  return credentials === undefined ? [] : [credentials]
}

const token = /^(?=.*\d)(?=.*[A-Za-z])[\w+-]{20,}$/
