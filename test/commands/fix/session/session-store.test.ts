import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { defaultSettings, createSession, reopenSession } from '../../../../src/commands/fix/session/session-state.ts'
import {
  lockFiles,
  lockSession,
  SessionStore,
  readSessionState,
  sessionFolder,
} from '../../../../src/commands/fix/session/session-store.ts'

function useFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'mdtest-session-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return root
}

const now = new Date('2026-01-02T03:04:05Z')
const create = (root: string): ReturnType<typeof createSession> =>
  createSession({ feature: 'Über Größe/../x', settings: { ...defaultSettings, root }, runMark: 'mdtest-0', now })

/** Names in `state.json`, which other programs read. */
const storedSettings = [
  ...['root', 'scope', 'runner', 'agent', 'docs', 'allow', 'allow_all_actions'],
  ...['max_attempts', 'max_minutes', 'max_cost_usd'],
  ...['agent_timeout_ms', 'agent_silence_timeout_ms', 'test_timeout_ms', 'test_silence_timeout_ms'],
  ...['allow_test_edits', 'may_change', 'allow_script', 'container', 'pass_env'],
]

test('a state is read as it was saved, and what a crash left is no hindrance', async () => {
  const root = useFolder()
  const state = create(root)
  expect(state.session_id).toMatch(/^u-ber-gro-e-x-20260102T030405-[0-9a-f]{6}$/)
  const folder = sessionFolder(root, state.session_id)
  const store = new SessionStore(folder)
  writeFileSync(join(folder, 'state.json.tmp'), '{"half')
  store.saveState(state)
  expect(await readSessionState(folder)).toEqual(state)
  expect(Object.keys(JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')).settings)).toEqual(storedSettings)
  store.addEvent({ agent: 'implementer', action: 'a', cost_usd: null }, now)
  appendFileSync(join(folder, 'events.jsonl'), '{"half')
  new SessionStore(folder).addEvent({ agent: 'orchestrator', action: 'b', cost_usd: 1 }, now)
  const lines = readFileSync(join(folder, 'events.jsonl'), 'utf8').trim().split('\n')
  expect(lines.map((line) => line.slice(-20))).toEqual([
    'n":"a","cost_usd":null}'.slice(-20),
    '{"half',
    '","action":"b","cost_usd":1}'.slice(-20),
  ])
  expect(readFileSync(join(root, '.mdtest/.gitignore'), 'utf8')).toBe('*\n')
  expect(readdirSync(folder).toSorted()).toEqual(['artifacts', 'events.jsonl', 'state.json'])
})

test('what is no session is named, with a way out', async () => {
  const root = useFolder()
  const folder = sessionFolder(root, 'a')
  await expect(readSessionState(folder)).rejects.toThrow(/There is no session at `.*`\. `mdtest sessions` lists/)
  const store = new SessionStore(folder)
  store.write('state.json', { ...create(root), elapsed_ms: -1 })
  await expect(readSessionState(folder)).rejects.toThrow(/is no state of a session \(elapsed_ms: /)
})

test('one process at a time; one that is gone does not count', () => {
  const folder = useFolder()
  const release = lockSession(folder, process.pid)
  expect(() => lockSession(folder, process.pid + 1)).toThrow(`Process ${process.pid} is working on the session`)
  release()
  writeFileSync(join(folder, 'lock'), '4194304')
  lockSession(folder, process.pid)()
})

test('one session in the files of a project at a time', () => {
  const root = useFolder()
  new SessionStore(sessionFolder(root, 'a'))
  const release = lockFiles(root, process.pid)
  expect(() => lockFiles(root, process.pid + 1)).toThrow('each gets a work tree')
  release()
  lockFiles(root, process.pid + 1)()
})

test('a session that had stopped goes on with new limits, one that was cut off as it was', () => {
  const state = create('/a')
  expect(reopenSession(state, { max_attempts: 20 })).toEqual({
    ...state,
    settings: { ...state.settings, max_attempts: 20 },
  })
  expect(reopenSession({ ...state, result: 'stalled' }, {}).history).toEqual([{ kind: 'resumed' }])
})
