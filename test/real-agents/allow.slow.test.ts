import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { claudeAgent } from '../../src/agents/claude/claude-agent.ts'
import { findSandbox } from '../../src/permissions/sandbox/bubblewrap.ts'
import { allowTables, tableFiles } from '../support/allow-table.ts'
import { createProject } from '../support/create-project.ts'
import type { ModelScript } from '../support/model-server.ts'
import { callOwn } from '../support/scripts/report-spec.ts'
import { makeTablePrograms } from '../support/table-programs.ts'
import { callFor, readCommandResult } from '../support/tool-dialect.ts'
import { findRealClis } from './find-real-clis.ts'
import { claude, codex, codexCodeMode, createRealProject, sampleOf } from './real-project.ts'
import { runRealAgent } from './run-real-agent.ts'

const clis = findRealClis(['claude', 'codex'])
const why = clis.ok ? '' : ` (skipped: ${clis.reason})`
const cliFolder = clis.ok ? clis.folder : ''

describe.skipIf(!clis.ok).concurrent(`what \`allow\` means${why}`, () => {
  test.each(allowTables)("the table is what Claude Code's own matcher says: $allow.0 …", async ({ allow, rows }) => {
    using programs = makeTablePrograms()
    const seen: string[] = []
    await runRealAgent(claudeAgent, {
      cliFolder: `${programs.folder}:${cliFolder}`,
      prompt: 'Go.',
      files: tableFiles,
      request: { allow },
      workName: 'work',
      script: (conversation) => {
        const { results } = conversation
        const last = results.at(-1)
        if (last !== undefined) {
          const { kind } = readCommandResult(last, conversation)
          seen[results.length - 1] = kind === 'ran' ? 'allowed' : 'refused'
        }
        const command = rows[results.length]?.command
        if (command === undefined) return { kind: 'answer', text: 'Done.' }
        return { kind: 'answer', calls: [callFor({ kind: 'command', command }, conversation)] }
      },
    })
    expect(rows.map(({ command }, index) => [command, seen[index]])).toEqual(
      rows.map(({ command, verdict, claude: own }) => [command, own?.verdict ?? verdict]),
    )
  })
})

const [{ allow, rows } = { allow: [], rows: [] }] = allowTables
const expected = rows.map(({ command, verdict }) => [command, verdict])
const spec = `---
executor: mdtest
min-assurance: claimed
writes: [out.txt, made, answers.json]
allow: ${JSON.stringify(allow)}
---

# Rules

## Ask for everything

Try each command.
`
const report = { step: '1-ask-for-everything', status: 'pass', observed: 'all was tried', evidence: [], checks: [] }
const files = { ...tableFiles, 'rules.test.md': spec }

/** What the tool answered, in whatever frame. */
function verdictOf(text: string): string {
  if (/^After [\d.]+ s:$/m.test(text)) return 'allowed'
  return /^(?:Error: )?Refused: /m.test(text) ? 'refused' : text
}

test.skipIf(!clis.ok).each(sampleOf([codex, claude, codexCodeMode]))(
  `\`allow\` means the same for the tool \`run\` of $title${why}`,
  async (product) => {
    using programs = makeTablePrograms()
    let seen: (readonly (string | undefined)[])[] = []
    const script: ModelScript = (conversation) => {
      const { results, isSideRequest } = conversation
      if (isSideRequest) return { kind: 'answer', text: '{"title":"Rules"}' }
      if (results.length > rows.length) return { kind: 'answer', text: 'Done.' }
      seen = results.map(({ text }, index) => [rows[index]?.command, verdictOf(text)])
      const next = rows.slice(results.length, results.length + 20)
      const calls = next.map(({ command }) => callFor({ kind: 'command', command }, conversation))
      return {
        kind: 'answer',
        calls: calls.length > 0 ? calls : [callFor(callOwn('report_step', report), conversation)],
      }
    }
    await using real = await createRealProject({ product, script, files })
    await real.mdtest(['run'], { PATH: `${programs.folder}:${real.env.PATH}` })
    expect(seen).toEqual(expected)
  },
)

const sandbox = await findSandbox(process.env)
const reason = sandbox.ok ? '' : ` (skipped: ${sandbox.why})`
const client = readFileSync(fileURLToPath(new URL('../support/report-client.mjs', import.meta.url)), 'utf8')

/** Reads the tools' address where mdtest says, asks for each command, and tells what came of them. */
const program = `import { readFileSync, writeFileSync } from 'node:fs'
import { callReportTool } from './report-client.mjs'
const { mdtest } = JSON.parse(readFileSync(process.env.MDTEST_MCP_CONFIG, 'utf8')).mcpServers
const answers = []
for (const command of ${JSON.stringify(rows.map(({ command }) => command))}) {
  const answer = await callReportTool(mdtest, 'run', { command })
  const data = answer.split('\\n').find((line) => line.startsWith('data: '))
  answers.push(JSON.parse(data?.slice(6) ?? answer).result.content[0].text)
}
await callReportTool(mdtest, 'write', { path: 'answers.json', content: JSON.stringify(answers) })
await callReportTool(mdtest, 'report_step', ${JSON.stringify(report)})
`

test.skipIf(!sandbox.ok)(`and for a program of the user's own${reason}`, async () => {
  using programs = makeTablePrograms()
  const config = `import { mdtest } from 'vitest-mdtest'
export default { plugins: [mdtest({ agent: { command: [process.execPath, '{root}/agent.mjs'] } })] }
`
  const own = { 'vitest.config.js': config, 'agent.mjs': program, 'report-client.mjs': client }
  await using project = await createProject({ ...files, ...own })
  const run = await project.mdtest(['run'], { env: { PATH: `${programs.folder}:${process.env.PATH}` } })
  expect(run.all).toContain('steps: 1')
  const answers = z.array(z.string()).parse(JSON.parse(await project.read('answers.json')))
  expect(rows.map(({ command }, index) => [command, verdictOf(answers[index] ?? '')])).toEqual(expected)
})
