import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { commitAll } from '../support/git-project.ts'
import { verdictsOf } from '../support/json-report.ts'
import type { ModelScript } from '../support/model-server.ts'
import { readTask } from '../support/scripts/read-task.ts'
import { callOwn, playTurn, reportSpec } from '../support/scripts/report-spec.ts'
import { bySpec } from '../support/scripts/wayward.ts'
import { isDeep } from '../support/depth.ts'
import { findSecret, secret } from '../support/secret-forms.ts'
import { readCommandResult } from '../support/tool-dialect.ts'
import { claude, codex, createRealProject, sampleOf, skipReason } from './real-project.ts'

/** Prints the secret with a command, cites and tells it, and writes it into a log and a file of its own. */
const gossips: ModelScript = playTurn(function* (conversation) {
  const task = readTask(conversation.prompt)
  const logFile = task?.logFile ?? ''
  const printed = readCommandResult(yield { kind: 'command', command: 'node print.mjs' }, conversation)
  const value = printed.kind === 'ran' ? printed.output.trim() : 'not printed'
  const page = logFile.replace('.log.md', '/page.txt')
  yield { kind: 'write', file: page, content: `The page says ${value}.` }
  yield { kind: 'write', file: logFile, content: `---\nstatus: fail\n---\nI saw ${value}.\n` }
  const evidence = [{ quote: value }, 'page.txt']
  yield callOwn('report_step', { step: task?.steps[0]?.id, status: 'pass', observed: `It printed ${value}`, evidence })
  yield callOwn('report_step', { step: task?.steps[1]?.id, status: 'fail', observed: `Still ${value}` })
  return `I saw ${value} twice.`
})

test.skipIf(skipReason !== '').each(sampleOf([claude, codex]))(
  `$title prints a secret, reports it and writes it down: it is nowhere${skipReason}`,
  async (product) => {
    await using real = await createRealProject({
      product,
      options: { executor: 'agent', minAssurance: 'observed', secrets: ['SHOP_CRED'], allow: ['Bash(node *)'] },
      script: gossips,
      files: {
        'print.mjs': 'console.log(process.env.SHOP_CRED)\n',
        'shop.test.md': '# Shop\n\n## Look\n\nLook at the shop.\n\n## Buy\n\nBuy a mug.\n',
      },
    })
    const flags = ['--reporter=json', '--reporter=verbose']
    const { stdout, all } = await real.vitest(['run', ...flags], { SHOP_CRED: secret })
    expect(verdictsOf(stdout, 'shop.test.md'), all).toEqual(['pass observed', 'fail STEP_FAILED'])
    expect(JSON.stringify(real.model.conversations.at(-1)?.results)).toContain('s3cr')
    expect(await findSecret(secret, { folder: real.project.dir, texts: { all, stdout } })).toEqual([])
    const logs = readdirSync(real.project.path('shop.logs'))
    for (const kind of ['.log.md', '.journal.jsonl', '.raw.log']) {
      const text = await real.project.read(`shop.logs/${logs.find((name) => name.endsWith(kind))}`)
      expect(text).toContain('***SHOP_CRED***')
      expect(text).not.toMatch(/Bearer [0-9a-f]{20}/)
    }
  },
)

/** Repairs a copy, as it may. */
const copies = `---
cwd: copy
writes: [copied.mjs]
---

# Shop

## Look

Run \`node look.mjs\`. It prints "look1".

## Buy

Run \`node repair.mjs copied.mjs\`. It prints "repaired".
`
const broken = "console.log('broken')\n"

/** Writes to the program with its own tool, puts it back and reports a pass. */
const restores: ModelScript = playTurn(function* (conversation) {
  const task = readTask(conversation.prompt)
  const file = task?.specFile.replace('restores.test.md', 'restored.mjs') ?? ''
  yield { kind: 'read', file }
  yield { kind: 'write', file, content: 'right' }
  yield { kind: 'command', command: 'node restore.mjs' }
  yield callOwn('report_step', { step: task?.steps[0]?.id, status: 'pass' })
  return 'Done.'
})

test.skipIf(skipReason !== '').each(sampleOf([claude, codex]))(
  `$title fails when it changes the program that it tests and puts it back; a copy it may change${skipReason}`,
  async (product) => {
    await using real = await createRealProject({
      product,
      // One agent after another: whose change it was is known.
      options: { executor: 'agent', allow: ['Bash(node *)'], maxAgents: 1 },
      script: bySpec({
        'copies.test.md': reportSpec,
        'restores.test.md': restores,
      }),
      files: {
        'look.mjs': "console.log('look1')\n",
        'copied.mjs': broken,
        'restored.mjs': broken,
        'repair.mjs': `import { writeFileSync } from 'node:fs'\nwriteFileSync(process.argv[2], 'right')\nconsole.log('repaired')\n`,
        'restore.mjs': `import { writeFileSync } from 'node:fs'\nwriteFileSync('restored.mjs', ${JSON.stringify(broken)})\n`,
        '.gitignore': '*.logs\nnode_modules\n.report.json\n',
        'copies.test.md': copies,
        'restores.test.md': '# Shop\n\n## Buy\n\nBuy something.\n',
      },
    })
    commitAll(real.project)
    const { stdout, all } = await real.vitest(['run', '--reporter=json'])
    expect(verdictsOf(stdout, 'copies.test.md'), all).toEqual(['pass evidenced', 'pass evidenced'])
    expect(verdictsOf(stdout, 'restores.test.md'), all).toEqual(['fail SOURCE_MODIFIED'])
    expect(all).not.toContain('had been settled')
    for (const name of ['copied.mjs', 'restored.mjs']) expect(await real.project.read(name)).toBe(broken)
    expect(await real.leftovers()).toEqual([])
  },
)

const client = fileURLToPath(new URL('../support/report-client.mjs', import.meta.url))

/** Looks for the agent that works on `victim.test.md`, reports for it with its token, and does something to it. */
const attack = `import { existsSync, readdirSync, readFileSync } from 'node:fs'
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
while ((victim = find()) === undefined || !existsSync('worked')) await sleep(20)
const answer = await callReportTool(victim, 'report_step', { step: '1-buy', status: 'pass', observed: 'as expected', checks: [] })
if (what === 'kill') process.kill(victim.pid, 'SIGKILL')
console.log('reported', JSON.stringify(answer))
`
const buying = `import { writeFileSync } from 'node:fs'\nwriteFileSync('worked', '')\nconsole.log('out of stock')\n`
const shopSpec = (title: string): string => `# Shop\n\n## ${title}\n\nRun \`node shop.mjs\`. It prints "bought".\n`

/** One agent attacks; the other one is at work until that is over. */
function attackScripts(what: string): Parameters<typeof bySpec>[0] {
  let isOver = false
  return {
    'victim.test.md': playTurn(function* ({ results }) {
      for (let n = 0; n < results.length || !isOver; n += 1) {
        yield { kind: 'command', command: 'node shop.mjs; sleep 1' }
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

const attacks = [
  [claude, 'kill', 'blocked AGENT_CRASHED'],
  [claude, 'leave', 'fail STEP_UNREPORTED'],
  [codex, 'leave', 'fail STEP_UNREPORTED'],
  // Here it may have ended before it is killed.
  [codex, 'kill', ''],
] as const

describe.runIf(process.platform === 'linux')(`an agent that reports for another one's scenario${skipReason}`, () => {
  test.skipIf(skipReason !== '').for(isDeep ? attacks : attacks.slice(0, 2))(
    'is not believed: %o, %s',
    async ([{ agent }, what, verdict]) => {
      await using real = await createRealProject({
        files: {
          'shop.mjs': buying,
          'attack.mjs': attack,
          'victim.test.md': `---\nagent: ${agent}\nexecutor: agent\nmin-assurance: claimed\nallow: [Bash]\n---\n\n${shopSpec('Buy')}`,
          'attacker.test.md': `---\nagent: claude\nexecutor: agent\nmin-assurance: claimed\nallow: [Bash]\n---\n\n${shopSpec('Attack')}`,
        },
        options: { maxAgents: 2 },
        script: bySpec(attackScripts(what)),
        codexModel: codex.codexModel,
      })
      const { stdout, all } = await real.vitest(['run', '--reporter=json'])
      expect(verdictsOf(stdout, 'attacker.test.md'), all).toEqual([expect.stringMatching(/^pass/)])
      expect(verdictsOf(stdout, 'victim.test.md'), all).toEqual([expect.stringContaining(verdict)])
      expect(verdictsOf(stdout, 'victim.test.md')).not.toEqual([expect.stringContaining('pass')])
    },
  )
})
