import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { RunTestOutput } from '../../src/commands/mcp/run-test-output.ts'
import { hostileViteName } from './hostile-name.ts'
import { processesOfHome } from './processes.ts'

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
  /** What was wrong with what the server wrote to its standard output. */
  readonly errors: readonly Error[]
  /** Calls the tool, with limits that no test should reach where the input names none. */
  call(input: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<Answer>
}

type CallOptions = Parameters<Client['callTool']>[1]

/** As the output schema says, which the client checks. */
export interface Answer {
  readonly text: string
  readonly isError: boolean
  readonly content: RunTestOutput
}

export async function createRepository(files: Readonly<Record<string, string>>): Promise<Repository> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'mdtest-repository-')))
  const dir = join(base, hostileViteName)
  const path = (name: string): string => join(dir, name)
  await mkdir(path('.git'), { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(path(name)), { recursive: true })
    await writeFile(path(name), text)
  }
  return { dir, path, [Symbol.asyncDispose]: () => rm(base, { recursive: true, force: true, maxRetries: 3 }) }
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
  const errors: Error[] = []
  client.onerror = (error) => void errors.push(error)
  await client.connect(transport)
  const { pid } = transport
  if (pid === null) throw new Error('the server has no process id')
  return {
    client,
    pid,
    errors,
    async call(input, options) {
      const result = await client.callTool(
        { name: 'run_test', arguments: { ...limits, ...input } },
        { timeout: farMs, ...options },
      )
      const [first] = result.content
      return {
        text: first?.type === 'text' ? first.text : '',
        isError: result.isError === true,
        content: result.structuredContent as unknown as RunTestOutput, // by the schema
      }
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** In the place of Vitest, a program that does what its last argument, the test file, says. */
export async function stubVitest({ path }: Pick<Repository, 'path'>): Promise<void> {
  const stub = path('node_modules/.bin/vitest')
  await mkdir(dirname(stub), { recursive: true })
  await writeFile(stub, `#!${process.execPath}\nimport(require('node:url').pathToFileURL(process.argv.at(-1)))\n`)
  await chmod(stub, 0o755)
}

const limits = { timeout_ms: 250_000, no_output_timeout_ms: 250_000, max_output_bytes: 20_000 }

/** Longer than anything takes on the slowest machine. */
export const farMs = 260_000

/** Test files for the program in the place of Vitest. */
export const stubbedFiles = {
  'sleeps.mjs': "console.log('begun')\nsetTimeout(() => {}, 600_000)\n",
  'ends.mjs': '',
  'waits.mjs': 'setTimeout(() => {}, 300)\n',
  'tells.mjs':
    'console.log(`token ${process.env.DEPLOY_TOKEN}`)\nconsole.error(Error(process.env.DEPLOY_TOKEN).stack)\n',
}

export const stubbedRun = (target: string): Record<string, unknown> => ({ runner: 'vitest', scope: 'file', target })

/** Where reports are, below the root. */
export const reports = '.cache/mdtest/reports'

export function newestSummary({ path }: Repository): Record<string, unknown> {
  const stem = readdirSync(path(reports)).toSorted().at(-1)
  return JSON.parse(readFileSync(path(`${reports}/${stem}/summary.json`), 'utf8'))
}

/** Whether `sleeps.mjs` runs, where the repository is the home. */
export function hasBegun({ dir }: Repository): boolean {
  return processesOfHome(dir).some((line) => line.includes('sleeps.mjs'))
}
