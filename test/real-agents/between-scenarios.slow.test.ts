import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { verdictsOf } from '../support/json-report.ts'
import { callOwn, playTurn } from '../support/scripts/report-spec.ts'
import { bySpec } from '../support/scripts/wayward.ts'
import { claude, codex, createRealProject, skipReason } from './real-project.ts'

const client = fileURLToPath(new URL('../support/report-client.mjs', import.meta.url))

/** Looks for the agent that works on `victim.test.md`, reports for it with its token, and does something to it. */
const attack = `import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { callReportTool } from ${JSON.stringify(client)}
const [what] = process.argv.slice(2)
const read = (path) => { try { return readFileSync(path, 'utf8').split('\\0') } catch { return [] } }
const isVictim = (argv) => argv.some((each) => each.includes('victim.test.md'))
function find() {
  for (const pid of readdirSync('/proc').filter((name) => /^\\d+$/.test(name) && Number(name) !== process.pid)) {
    const argv = read('/proc/' + pid + '/cmdline')
    if (!isVictim(argv)) continue
    const token = read('/proc/' + pid + '/environ').find((each) => each.startsWith('MDTEST_REPORT_TOKEN='))?.slice(20)
    const url = argv.find((each) => each.startsWith('mcp_servers.mdtest.url='))?.split('=')[1]
    if (token && url) return { pid: Number(pid), url: JSON.parse(url), headers: { authorization: 'Bearer ' + token } }
    const file = argv.find((each) => each.endsWith('mcp.json'))
    const config = file && JSON.parse(readFileSync(file, 'utf8')).mcpServers.mdtest
    if (config) return { pid: Number(pid), ...config }
  }
}
let victim
while ((victim = find()) === undefined) await sleep(20)
if (what === 'stop') process.kill(victim.pid, 'SIGSTOP')
if (what !== 'stop') await sleep(2000)
const answer = await callReportTool(victim, 'report_step', { step: '1-buy', status: 'pass', observed: 'as expected', checks: [] })
if (what === 'kill') process.kill(victim.pid, 'SIGKILL')
console.log('reported', JSON.stringify(answer))
`

const spec = (title: string): string => `# Shop\n\n## ${title}\n\nRun \`node shop.mjs\`. It prints "bought".\n`

/** One agent attacks; the other one is at work until that is over. */
function attackScripts(what: string): Parameters<typeof bySpec>[0] {
  let isOver = false
  return {
    'victim.test.md': playTurn(function* ({ results }) {
      for (let n = 0; n < results.length || !isOver; n += 1) {
        yield { kind: 'command', command: 'node shop.mjs; sleep 2' }
      }
      return 'I could not do it.'
    }),
    'attacker.test.md': playTurn(function* () {
      yield { kind: 'command', command: `node attack.mjs ${what}` }
      isOver = true
      yield callOwn('report_step', { step: '1-attack', status: 'pass', observed: 'bought', checks: [] })
      return 'Done.'
    }),
  }
}

describe.runIf(process.platform === 'linux')(`an agent that reports for another one's scenario${skipReason}`, () => {
  test.skipIf(skipReason !== '').for([
    [claude, 'leave', 'fail STEP_UNREPORTED'],
    [codex, 'leave', 'fail STEP_UNREPORTED'],
    [claude, 'kill', 'blocked AGENT_CRASHED'],
    // Here it may have ended before it is killed.
    [codex, 'kill', ''],
    [claude, 'stop', 'fail STEP_UNREPORTED'],
  ] as const)('is not believed: %o, %s', async ([{ agent }, what, verdict]) => {
    await using real = await createRealProject({
      files: {
        'shop.mjs': `console.log('out of stock')\n`,
        'attack.mjs': attack,
        'victim.test.md': `---\nagent: ${agent}\nallow: [Bash]\ntimeout: 40s\nsilence-timeout: 20s\n---\n\n${spec('Buy')}`,
        'attacker.test.md': `---\nagent: claude\nallow: [Bash]\n---\n\n${spec('Attack')}`,
      },
      options: { maxAgents: 2 },
      script: bySpec(attackScripts(what)),
      ...(agent === 'codex' && { codexModel: codex.codexModel }),
    })
    const { stdout, all } = await real.project.vitest(['run', '--reporter=json'], { env: real.env, timeoutMs: 100_000 })
    expect(verdictsOf(stdout, 'attacker.test.md'), all).toEqual([expect.stringMatching(/^pass/)])
    expect(verdictsOf(stdout, 'victim.test.md'), all).toEqual([expect.stringContaining(verdict)])
    expect(verdictsOf(stdout, 'victim.test.md')).not.toEqual([expect.stringContaining('pass')])
  })
})
