import { messageOf } from '../system/error-facts.ts'
import { MdtestError, type MdtestErrorCode } from '../system/mdtest-error.ts'

export class ToolTimeout extends Error {}

export function unusableServer(name: string, cause: unknown, code: MdtestErrorCode): MdtestError {
  const hint = 'Start it by hand as `mcpServers` or `mcp-servers` say, and see.'
  return new MdtestError(code, `The MCP server \`${name}\` cannot be used (${messageOf(cause)}).`, { hint, cause })
}
