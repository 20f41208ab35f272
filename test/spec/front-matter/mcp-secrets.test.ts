import { expect, test } from 'vitest'
import { mcpSecrets } from '../../../src/spec/front-matter/mcp-secrets.ts'
import type { McpServer } from '../../../src/spec/front-matter/front-matter.ts'

const valuesOf = (server: McpServer): readonly string[] => [
  ...new Set(mcpSecrets({ shop: server }).map(({ value }) => value)),
]
const npx = (...args: string[]): McpServer => ({ command: 'npx', args })
const http = (url: string, headers: Record<string, string> = {}): McpServer => ({ url, headers })

test.for<[McpServer, readonly string[]]>([
  [{ command: 'a', env: { SHOP_TOKEN: 'hunter2-hunter2', NODE_ENV: 'production' } }, ['hunter2-hunter2']],
  [{ command: 'a', env: { PGPASS: 'correct horse', SHORT_KEY: 'abc' } }, ['correct horse']],
  [{ command: 'a', env: { DB: 'postgres://shop:hunter2%21hunter@db/shop' } }, ['hunter2%21hunter', 'hunter2!hunter']],
  [
    { command: 'a', env: { ID: 'ghp_16C7e42F292c6912E7710c838347Ae178B4a' } },
    ['ghp_16C7e42F292c6912E7710c838347Ae178B4a'],
  ],
  [npx('-y', '@playwright/mcp@0.0.83', '--headless', '--port', '12345678'), []],
  [npx('server', '--api-key', 'hunter2-hunter2'), ['hunter2-hunter2']],
  [npx('server', '--api-key=hunter2-hunter2'), ['hunter2-hunter2']],
  [npx('--header', 'Authorization: Bearer hunter2-hunter2'), ['Bearer hunter2-hunter2', 'hunter2-hunter2']],
  [npx('https://example.org/mcp?key=hunter2-hunter2&page=12345678'), ['hunter2-hunter2']],
  [http('https://example.org/mcp'), []],
  [http('https://me:hunter2-hunter2@example.org/mcp'), ['hunter2-hunter2']],
  [http('https://example.org', { 'X-Shop': 'hunter2-hunter2', Accept: 'application/json' }), ['hunter2-hunter2']],
  [http('https://example.org', { Authorization: 'Basic aHVudGVyMg==' }), ['Basic aHVudGVyMg==', 'aHVudGVyMg==']],
])('%j', ([server, expected]) => {
  expect(valuesOf(server)).toEqual(expected)
})
