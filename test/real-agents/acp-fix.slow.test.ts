import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { sessionsDir } from '../../src/commands/fix/session/session-store.ts'
import type { FixEnd, FixSession } from './fix-session.ts'
import { acpAgents } from './real-project.ts'
import { failing, passing, promptOf, testFixes, type FixCase } from './test-fixes.ts'

/** Ends after two attempts; a person reads why, and lets it go on. */
async function haltAndGoOn(session: FixSession): Promise<FixEnd> {
  const halted = await session.fix('--max-attempts', '2').ended
  expect([halted.exitCode, halted.report], halted.stderr).toMatchObject([1, { result: 'incomplete', attempts: 2 }])
  const halt = session.read('artifacts/halt.md')
  expect(halt).toContain('Left two notes.\n\nChanged files: `src/money.ts`. It was kept: 1 of 16 tests fail.')
  const command = /npx vitest-mdtest fix (--resume \S+ --max-attempts \d+)/.exec(halt)?.[1]
  expect(await session.leftovers()).toEqual([])
  return await session.fix(...(command ?? '').split(' ')).ended
}

/** Ids of the agent's own sessions, one for each attempt. */
function sessionsOf({ root }: FixSession): readonly (string | undefined)[] {
  const place = join(root, sessionsDir)
  const logs = readdirSync(place, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /calls\/\d+-implementer-[^/]+\/raw\.log$/.test(file),
  )
  return logs
    .toSorted(byNumber)
    .map((file) => /"opened","sessionId":"([^"]+)"/.exec(readFileSync(join(place, file), 'utf8'))?.[1])
}

/** The number of the act stands before the name. */
function byNumber(one: string, other: string): number {
  return Number(/calls\/(\d+)/.exec(one)?.[1]) - Number(/calls\/(\d+)/.exec(other)?.[1])
}

testFixes(
  'mdtest fix works with agents that speak ACP',
  acpAgents.map(({ agent }): FixCase => ({
    title: 'goes on in its session, halts after two attempts, and fixes it when it is let go on',
    agent,
    name: 'cart-typescript',
    bugs: ['lost-cent'],
    attempts: ({ right, files }) => [
      { write: { 'src/money.ts': `${files()['src/money.ts']}// Is that so?\n` }, end: 'Left a note.' },
      {
        write: { 'src/money.ts': `${files()['src/money.ts']}// Is that so?\n// It is.\n` },
        end: 'Left two notes.',
      },
      { write: { 'src/money.ts': right('src/money.ts') }, end: 'It lost a cent.' },
    ],
    work: haltAndGoOn,
    expected: ({ right }) => ({
      exitCode: 0,
      result: 'success',
      story: [
        ...failing(1, 16),
        ...['attempt done src/money.ts', 'after-attempt: 1 of 16', 'prompt-written'],
        ...['attempt done src/money.ts', 'after-attempt: 1 of 16'],
        ...['resumed', ...failing(1, 16), 'attempt done src/money.ts', ...passing(16)],
      ],
      changed: { 'src/money.ts': right('src/money.ts') },
    }),
    look(session) {
      expect(promptOf(session, 3)).toContain('1. Left a note. Changed: `src/money.ts`.')
      const [first, second, third] = sessionsOf(session)
      // Gemini CLI finds no session that ended before its time.
      expect([first, second]).toEqual([expect.any(String), agent === 'gemini' ? expect.any(String) : first])
      // A person may have changed anything in between.
      expect(third).not.toBe(first)
    },
  })),
)
