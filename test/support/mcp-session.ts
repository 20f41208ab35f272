import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const bin = fileURLToPath(new URL('../../dist/bin.js', import.meta.url))

/** A repository in a temporary folder. */
export interface Repository extends AsyncDisposable {
  readonly dir: string
  path(name: string): string
}

/** `mdtest mcp` in a repository, with the SDK's own client. */
export interface McpSession extends AsyncDisposable {
  readonly client: Client
  readonly pid: number
}

export async function createRepository(files: Readonly<Record<string, string>>): Promise<Repository> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'mdtest-repository-')))
  const path = (name: string): string => join(dir, name)
  await mkdir(path('.git'))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(path(name)), { recursive: true })
    await writeFile(path(name), text)
  }
  return { dir, path, [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true, maxRetries: 3 }) }
}

/** Starts the server as a client does; `await using` closes it. */
export async function startSession(
  { dir }: Pick<Repository, 'dir'>,
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<McpSession> {
  const { PATH = '', HOME = '' } = process.env
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'mcp', ...args],
    cwd: dir,
    env: { PATH, HOME, TMPDIR: tmpdir(), ...env },
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  const { pid } = transport
  if (pid === null) throw new Error('the server has no process id')
  return { client, pid, [Symbol.asyncDispose]: () => client.close() }
}

/** Limits that no test should reach. */
export const limits = { timeout_ms: 60_000, no_output_timeout_ms: 60_000, max_output_bytes: 20_000 }
