import { describe, expect, test } from 'vitest'
import { claudeAgent } from '../../src/agents/claude/claude-agent.ts'
import { allowTables, tableFiles, type AllowTable } from '../support/allow-table.ts'
import { makeTablePrograms } from '../support/table-programs.ts'
import { callFor, readCommandResult } from '../support/tool-dialect.ts'
import { findRealClis } from './find-real-clis.ts'
import { runRealAgent } from './run-real-agent.ts'

const clis = findRealClis()
const reason = clis.ok ? '' : ` (skipped: ${clis.reason})`
const cliFolder = clis.ok ? clis.folder : ''

const nameOf = ({ allow, rows }: AllowTable): string =>
  `${rows.length} commands by ${allow.length} rules, ${allow[0]} …`

describe.skipIf(!clis.ok)(`what \`allow\` means${reason}`, () => {
  test.each(allowTables.map((table) => [nameOf(table), table] as const))(
    "the table is what Claude Code's own matcher says: %s",
    { timeout: 120_000 },
    async (_name, { allow, rows }) => {
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
        rows.map(({ command, verdict, claude }) => [command, claude?.verdict ?? verdict]),
      )
    },
  )
})
