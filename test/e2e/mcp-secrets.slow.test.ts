import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFixProject, nodeProject, rightSum } from '../support/fix-project.ts'
import { createGateProject } from '../support/gate-project.ts'

const secrets = ['tok-hunter2', 'arg-hunter2', 'Bearer head-hunter2', 'head-hunter2']
const mcpServers = {
  shop: {
    command: 'shop-mcp',
    args: ['--api-key', 'arg-hunter2'],
    env: { SHOP_TOKEN: 'tok-hunter2', MODE: 'testing-it' },
  },
  web: { url: 'http://127.0.0.1:9/mcp', headers: { Authorization: 'Bearer head-hunter2' } },
}

/** All that is in files below a folder. */
function textsBelow(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
}

function expectNoSecrets(text: string): void {
  expect(text).toContain('testing-it')
  expect(text).toContain('***shop***')
  expect(text).toContain('***web***')
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
}

test('`mdtest gate` tells nobody the secrets of MCP servers, whoever says them', async () => {
  using red = createGateProject({
    'mdtest.config.json': JSON.stringify({
      commands: { lint: 'cat mdtest.config.json', test: 'node --test sum.test.mjs; cat mdtest.config.json; false' },
      agent: { command: ['node', 'agent.mjs', '{prompt}'] },
      mcpServers,
      executionLog: true,
    }),
    'sum.test.mjs': "import test from 'node:test'\ntest('adds', () => { throw new Error('tok-hunter2') })\n",
    'agent.mjs': `import { readFileSync, writeFileSync } from 'node:fs'
const config = readFileSync('mdtest.config.json', 'utf8')
console.error(config)
writeFileSync('changed.txt', '')
console.log(JSON.stringify({ fix_applied: config }))
`,
  })
  red.git('init', '-q')
  const json = await red.gate('--json', '--fix-attempts', '1')
  expect(json.exitCode).toBe(1)
  const plain = await red.gate('--agent', 'none')
  const verified = await red.gate('--verify', `.mdtest/gate/${red.folders()[0]}/gate_results.json`, '--rerun')
  const shown = [json, plain, verified].map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join('\n')
  expectNoSecrets(`${shown}\n${textsBelow(red.path('.mdtest'))}\n${red.read('EXECUTION-LOG.md')}`)
})

test('nor does `mdtest fix`', async () => {
  const config = JSON.stringify({ commands: {}, mcpServers })
  using project = createFixProject({ ...nodeProject, 'mdtest.config.json': config })
  project.write(
    'sum.test.mjs',
    (nodeProject['sum.test.mjs'] ?? '').replace('5)', `5, ${JSON.stringify(`${secrets.join(' ')} testing-it`)})`),
  )
  project.plan({
    attempts: [
      { say: `I have seen ${config}.` },
      { summary: config, write: { 'sum.mjs': `${rightSum.replace('a + b', 'b')}// Half.\n` } },
      { summary: config, write: { 'sum.mjs': rightSum } },
    ],
  })
  const { exitCode, stdout, stderr } = await project.fix()
  expect(exitCode).toBe(0)
  expectNoSecrets(`${stdout}\n${stderr}\n${textsBelow(project.path('.mdtest'))}`)
})
