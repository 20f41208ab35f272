import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { callOwn, playTurn, reportSpec } from '../support/scripts/report-spec.ts'
import { readTask } from '../support/scripts/read-task.ts'
import { acpAgents, copilot, createRealProject, skipReason } from './real-project.ts'

const shelf = readFileSync(new URL('../support/shelf-server.mjs', import.meta.url), 'utf8')

const spec = `---
cwd: copy
mcp-servers:
  shelf: { command: node, args: [shelf-server.mjs, words.txt], replayable: [put, get] }
---

# Shelf

## Put

Put tea on the shelf, and look at it.
`

/** What the shelf said of what was put on it, without what some agents put around an answer. */
function* useShelf() {
  yield { kind: 'mcp', server: 'shelf', tool: 'put', input: { thing: 'tea' } } as const // one of its kinds
  const { text } = yield { kind: 'mcp', server: 'shelf', tool: 'get', input: { number: 1 } } as const // see above
  return text.includes('item 1: tea') ? 'item 1: tea' : text
}

// Copilot CLI takes no programs.
const agents = acpAgents.filter(({ title }) => title !== 'copilot')

describe.skipIf(skipReason !== '').each(agents)(
  `attached MCP servers reach $title${skipReason}`,
  ({ agent, title: _title, ...more }) => {
    test('from the front matter, and what was done with them is repeated without it', async () => {
      const script = playTurn(function* ({ prompt }) {
        const [step] = readTask(prompt)?.steps ?? []
        const quote = yield* useShelf()
        yield callOwn('report_step', {
          step: step?.id,
          status: 'pass',
          observed: 'So.',
          evidence: [{ quote }],
          checks: [],
        })
        return 'All steps are done.'
      })
      const files = { 'shelf.test.md': spec, 'shelf-server.mjs': shelf, 'words.txt': 'Done\n' }
      await using real = await createRealProject({ ...more, script, options: { agent }, files })
      const { project, env, model } = real
      const made = await project.mdtest(['record'], { env })
      expect(made.exitCode, made.all).toBe(0)
      expect(await project.read('shelf.recording.md')).toContain(
        '```mcp server=shelf\n$ put {"thing":"tea"}\n...\n$ get {"number":1}\nitem 1: tea\n```',
      )
      const asked = model.conversations.length
      const replayed = await project.mdtest(['run', '--replay', 'only'], { env })
      expect(replayed.all).toContain('1 reproduced')
      expect(model.conversations).toHaveLength(asked)
      expect(await real.leftovers()).toEqual([])
    })

    test('from the configuration of a gate', async () => {
      const place: { file?: string } = {}
      const script = playTurn(function* () {
        const said = yield* useShelf()
        yield { kind: 'read', file: place.file ?? '' }
        yield { kind: 'write', file: place.file ?? '', content: `export const said = '${said}'\n` }
        return '{ "fix_applied": "It was empty." }'
      })
      const servers = { shelf: { command: 'node', args: ['shelf-server.mjs', 'words.txt'] } }
      const files = {
        'mdtest.config.json': JSON.stringify({ commands: { test: 'node --test said.check.mjs' }, mcpServers: servers }),
        'said.mjs': "export const said = ''\n",
        'said.check.mjs':
          "import test from 'node:test'\nimport assert from 'node:assert'\nimport { said } from './said.mjs'\ntest('says it', () => assert.strictEqual(said, 'item 1: tea'))\n",
        'shelf-server.mjs': shelf,
        'words.txt': 'Done\n',
      }
      await using real = await createRealProject({ ...more, script, files })
      const { project, env } = real
      place.file = project.path('said.mjs')
      const { exitCode, stdout, all } = await project.mdtest(['gate', '--json', '--agent', agent], { env })
      expect(exitCode, all).toBe(0)
      expect(JSON.parse(stdout).gate_results.test).toMatchObject({ status: 'pass', attempts: 2 })
      expect(await project.read('said.mjs')).toBe("export const said = 'item 1: tea'\n")
      expect(await real.leftovers()).toEqual([])
    })
  },
)

test.skipIf(skipReason !== '')(`a program is no server for copilot, which is said${skipReason}`, async () => {
  const { title: _title, agent, ...more } = copilot
  const files = { 'shelf.test.md': spec, 'shelf-server.mjs': shelf, 'words.txt': 'Done\n' }
  await using real = await createRealProject({ ...more, script: reportSpec, options: { agent }, files })
  const { stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
  expect(verdictsOf(stdout, 'shelf.test.md')).toEqual(['blocked MCP_UNAVAILABLE'])
  expect(readJsonReport(stdout)['shelf.test.md']?.[0]?.messages?.join()).toContain(
    '`shelf` is a program. Give it a `url`.',
  )
})
