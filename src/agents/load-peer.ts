import { errorCode } from '../system/error-facts.ts'
import { MdtestError } from '../system/mdtest-error.ts'

export const acpSdk = '@agentclientprotocol/sdk'

/** Loads an optional package. @throws {MdtestError} `AGENT_PEER_MISSING` that says how to install it. */
export async function loadPeer<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error: unknown) {
    throw errorCode(error)?.endsWith('MODULE_NOT_FOUND') === true ? missingPeer(name, error) : error
  }
}

export function missingPeer(name: string, cause?: unknown): MdtestError {
  const version = versionFor(name)
  const need = name === acpSdk ? 'Agents that speak ACP need' : 'Browser specs need'
  return new MdtestError('AGENT_PEER_MISSING', `${need} the package \`${name}\`, which is not installed.`, {
    hint: `Install it with \`npm install -D ${name}${version === undefined ? '' : `@${version}`}\`.`,
    cause,
  })
}

/** Version to install, if not the newest. Playwright and ACP change often; Node.js 20 needs an older AI SDK. */
function versionFor(name: string): string | undefined {
  if (name === '@playwright/mcp') return '0.0.83'
  if (name === acpSdk) return '2.4.0'
  if (!process.versions.node.startsWith('20.')) return undefined
  if (name === 'ai') return '6'
  return name.startsWith('@ai-sdk/') ? '3' : undefined
}
