import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { createRepository } from '../support/mcp-session.ts'

const inLane = (path: string): string => fileURLToPath(new URL(`../lanes/${path}`, import.meta.url))
const inspector = inLane('inspector/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js')
// It does not run on the oldest Node.js that we do.
const node = inLane('node-22/node_modules/node/bin/node')
const bin = fileURLToPath(new URL('../../dist/bin.js', import.meta.url))
const isMissing = ![inspector, node].every((path) => existsSync(path))
const reason = isMissing ? ' (skipped: run `npm test` once to install it)' : ''

describe.skipIf(isMissing)(`the MCP Inspector's command line${reason}`, () => {
  test('lists run_test and calls it', async () => {
    await using repository = await createRepository({
      'sum.test.mjs': "import test from 'node:test'\ntest('adds', () => {})\ntest.skip('divides', () => {})\n",
    })
    const server = [process.execPath, bin, 'mcp', '--root', repository.dir]
    const inspect = async (...args: string[]): Promise<Record<string, unknown>> => {
      const { stdout } = await execa(node, [inspector, '--cli', ...server, ...args], {
        cwd: repository.dir,
        stdin: 'ignore',
      })
      return JSON.parse(stdout)
    }
    expect(await inspect('--method', 'tools/list')).toMatchObject({ tools: [{ name: 'run_test' }] })
    const limits = ['timeout_ms=60000', 'no_output_timeout_ms=60000', 'max_output_bytes=20000']
    const call = [
      '--method',
      'tools/call',
      '--tool-name',
      'run_test',
      '--tool-arg',
      'runner=node',
      'scope=all',
      ...limits,
    ]
    expect(await inspect(...call)).toMatchObject({
      structuredContent: { status: 'pass', counts: { total: 2, passed: 1, failed: 0, skipped: 1 } },
    })
  })
})
