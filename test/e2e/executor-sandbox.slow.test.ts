import { createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { findSandbox } from '../../src/permissions/sandbox/bubblewrap.ts'
import { createProject } from '../support/create-project.ts'
import { filesWith } from '../support/files-with.ts'
import { readJsonReport } from '../support/json-report.ts'

const found = await findSandbox(process.env)
const skipReason = found.ok ? '' : ` (skipped: ${found.why})`

const spec = `---
executor: mdtest
sandbox: require
allow: ['Bash(node notes.mjs *)', 'Bash(node settings.mjs)']
---

# Notes

## List

Run \`node notes.mjs list\`.

- [ ] It prints "1 [ ] milk"

## Settings

Run \`node settings.mjs\`.

- [ ] It prints "settings are there"
`

/** Tries each way out of the sandbox, and then has mdtest run the product. */
const agent = `import { spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
const [configFile, port, abstract, mdtest] = process.argv.slice(2)
const tried = {}
const attempt = async (name, act) => {
  try {
    tried[name] = String(await act())
  } catch (error) {
    tried[name] = error.code ?? error.message
  }
}
const dial = (place) =>
  new Promise((resolve, reject) => net.connect(place).on('connect', () => resolve('reached')).on('error', reject))
const inherited = (fd) => {
  try {
    return Number(fd) > 2 && !/^(?:anon_inode|pipe|[/]proc|[/]dev[/]null)/.test(fs.readlinkSync('/proc/self/fd/' + fd))
  } catch {
    return false
  }
}
await attempt('inherited files', () => fs.readdirSync('/proc/self/fd').filter(inherited))
await attempt('data', () => fs.writeFileSync('notes.txt', '1 [ ] forged'))
await attempt('root of a process', () => fs.writeFileSync('/proc/self/root' + fs.realpathSync('notes.txt'), ''))
await attempt('open file', () => fs.writeFileSync('/proc/self/fd/' + fs.openSync('notes.txt', 'r'), ''))
await attempt('hard link', () => fs.linkSync('notes.txt', process.env.TMPDIR + '/notes.txt'))
await attempt('other name', () => fs.renameSync('notes.mjs', 'gone.mjs'))
await attempt('socket in the project', () => dial({ path: 'product.sock' }))
await attempt('abstract socket', () => dial({ path: '\\0' + abstract }))
await attempt('loopback', () => dial({ port: Number(port), host: '127.0.0.1' }))
await attempt('signal to mdtest', () => process.kill(Number(mdtest), 0))
await attempt('environment of mdtest', () => fs.readFileSync('/proc/' + mdtest + '/environ'))
await attempt('terminal', () => fs.openSync('/dev/tty', 'r+'))
await attempt('files of servers', () => fs.readdirSync('/tmp', { recursive: true }).filter((name) => /mcp.json$/.test(name)).length)
console.log('TRIED ' + JSON.stringify(tried))
const knocking = \`setInterval(() => require('net').connect(\${port}, '127.0.0.1').on('error', () => {}), 20)\`
spawn(process.execPath, ['-e', knocking], { detached: true, stdio: 'ignore' }).unref()

const { url, headers } = JSON.parse(fs.readFileSync(configFile, 'utf8')).mcpServers.mdtest
const call = async (name, input) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  })
  return response.text()
}
for (const [step, command, quote] of [
  ['1-list', 'node notes.mjs list', '1 [ ] milk'],
  ['2-settings', 'node settings.mjs', 'settings are there'],
]) {
  await call('run', { command })
  const evidence = [{ quote }]
  const report = { step, status: 'pass', observed: 'It is so.', evidence, checks: [{ n: 1, status: 'pass', evidence }] }
  console.log(await call('report_step', report))
}
`

/** As products do that set themselves up. It tells what it sees of mdtest, too. */
const settings = `import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
writeFileSync('.npmrc', 'script-shell=./shell')
writeFileSync('.env', 'NODE_OPTIONS=--import ./load.mjs')
mkdirSync('.git/hooks', { recursive: true })
writeFileSync('.git/hooks/pre-commit', '#!/bin/sh')
chmodSync('.git/hooks/pre-commit', 0o755)
writeFileSync('package.json', '{ "scripts": { "test": "echo 1 [ ] milk" } }')
console.log('settings are there')
console.log('SEEN ' + Object.keys(process.env).filter((name) => /TOKEN|MCP|CLAUDE|CODEX/.test(name)))
`

test.skipIf(!found.ok)(`an agent in the sandbox reaches the network and nothing else${skipReason}`, async () => {
  let calls = 0
  const web = await listen({ port: 0, host: '127.0.0.1' }, () => (calls += 1))
  const abstract = `mdtest-${process.pid}`
  await listen({ path: `\0${abstract}` })
  const address = web.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const command = [process.execPath, 'agent.mjs', '{mcp}', String(port), abstract, String(process.pid)]
  const options = `executor: 'mdtest', agent: { command: ${JSON.stringify(command)} }`
  await using project = await createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ ${options} })] }\n`,
    'notes.mjs': `import { readFileSync } from 'node:fs'\nconsole.log(readFileSync('notes.txt', 'utf8'))\n`,
    'notes.txt': '1 [ ] milk',
    'settings.mjs': settings,
    'agent.mjs': agent,
    'notes.test.md': spec,
  })
  await listen({ path: project.path('product.sock') })
  const { stdout } = await project.vitest(['run', '--reporter=json'])

  const logs = project.path('notes.logs')
  const log = await project.read(`notes.logs/${filesWith('TRIED', logs)[0]?.split('/').at(-1)}`)
  const told: unknown = JSON.parse(/TRIED (.*)/.exec(log)?.[1] ?? '{}')
  expect(told).toEqual({
    'inherited files': '',
    data: 'EROFS',
    'root of a process': 'EROFS',
    'open file': 'EROFS',
    'hard link': 'EXDEV',
    'other name': 'EROFS',
    'socket in the project': 'ECONNREFUSED',
    'signal to mdtest': 'ESRCH',
    'environment of mdtest': 'ENOENT',
    terminal: 'ENXIO',
    'files of servers': '1',
    // The network is that of the machine, and these are a part of it.
    'abstract socket': 'reached',
    loopback: 'reached',
  })
  const [list, changed] = readJsonReport(stdout)['notes.test.md'] ?? []
  expect(list).toMatchObject({ outcome: 'pass', assurance: 'witnessed' })
  // What the product writes is judged as what the agent writes.
  expect(changed).toMatchObject({ outcome: 'fail', codes: ['SOURCE_MODIFIED'] })
  expect(changed?.messages?.join()).toMatch(/\.env.*\.npmrc.*package\.json/s)
  expect(filesWith('SEEN', logs).length).toBeGreaterThan(0)
  expect(filesWith('SEEN [^\\\\"]', logs)).toEqual([])
  // What it left running has ended with it.
  const before = calls
  await sleep(200)
  expect([before > 1, calls]).toEqual([true, before])
})

async function listen(
  place: { readonly path?: string; readonly port?: number; readonly host?: string },
  onCall?: () => void,
): Promise<Server> {
  const server = createServer((connection) => {
    onCall?.()
    connection.on('error', () => {}).end()
  })
  await new Promise<void>((resolve) => void server.listen(place, resolve))
  onTestFinished(() => void server.close())
  return server
}
