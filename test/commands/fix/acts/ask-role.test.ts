import { expect, test } from 'vitest'
import { defaultSettings, createSession } from '../../../../src/commands/fix/session/session-state.ts'
import type { ActContext } from '../../../../src/commands/fix/loop/session-keeper.ts'
import { progressOf } from '../../../../src/commands/fix/session/session-progress.ts'
import { waitForProvider } from '../../../../src/commands/fix/acts/ask-role.ts'

/** Waits in a session that has used up all but 20 ms of its minute, or has no limit. */
async function wait(
  max_minutes: number | null,
  times = 1,
): Promise<{ readonly goesOn: boolean; readonly said: string }> {
  const settings = { ...defaultSettings, root: '/', max_minutes }
  const state = createSession({ feature: 'a', settings, runMark: '', now: new Date() })
  const begunAtMs = Date.now()
  let said = ''
  const context = {
    waitMs: () => (max_minutes === null ? 1 : 3_600_000),
    keeper: { current: () => ({ ...state, elapsed_ms: 59_980 + (Date.now() - begunAtMs) }) },
    progress: progressOf([]),
    signal: new AbortController().signal,
    say: (line: string) => void (said = line),
  } as unknown as ActContext // all that it needs
  return { goesOn: await waitForProvider(times, context), said: said.trim() }
}

test('who waits for a provider waits no longer than the session has', async () => {
  expect(await wait(1)).toEqual({ goesOn: false, said: "waits 1 s for the agent's provider" })
  expect(await wait(null)).toEqual({ goesOn: true, said: "waits 1 s for the agent's provider" })
  await expect(wait(null, 1000)).rejects.toMatchObject({ code: 'AGENT_LIMITED' })
})
