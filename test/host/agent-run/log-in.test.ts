import { mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { AgentRun } from '../../../src/host/agent-run/agent-task.ts'
import { findLogin } from '../../../src/agents/browser/saved-logins.ts'
import { logIn } from '../../../src/host/agent-run/run-login.ts'
import type { AgentProgress, Direction, ScenarioRequest } from '../../../src/host/protocol/protocol.ts'
import type { ScenarioVerdict } from '../../../src/records/verdict/verdict-record.ts'
import type { AgentEvidence } from '../../../src/verdict/verdict.ts'
import { useFolders } from '../use-folder.ts'

const newFolder = useFolders()

describe('the login of a spec', () => {
  test.each([
    ['shop/cart/a.test.md', 'shop/cart/AUTH_LOGIN.md'],
    ['shop/b.test.md', 'shop/AUTH_LOGIN.md'],
    ['shop/deep/er/c.test.md', 'shop/AUTH_LOGIN.md'],
    ['other/d.test.md', undefined],
    ['e.test.md', undefined],
  ])('%s begins with %s', async (spec, login) => {
    const folder = newFolder()
    await folder.write({ 'shop/AUTH_LOGIN.md': '', 'shop/cart/AUTH_LOGIN.md': '' })
    expect(findLogin({ specFile: folder.at(spec), root: folder.path })).toBe(login && folder.at(login))
  })

  test('is none above the root', async () => {
    const folder = newFolder()
    await folder.write({ 'AUTH_LOGIN.md': '', 'project/a.test.md': '' })
    expect(findLogin({ specFile: folder.at('project/a.test.md'), root: folder.at('project') })).toBeUndefined()
  })

  test('of a spec outside of the root is the one beside it, and none above', async () => {
    const folder = newFolder()
    await folder.write({ 'AUTH_LOGIN.md': '', 'else/where/AUTH_LOGIN.md': '', 'project/x': '' })
    const root = folder.at('project')
    expect(findLogin({ specFile: folder.at('else/where/a.test.md'), root })).toBe(folder.at('else/where/AUTH_LOGIN.md'))
    expect(findLogin({ specFile: folder.at('else/a.test.md'), root })).toBeUndefined()
  })
})

const passed = { id: '1-log-in', status: 'pass', at: '2026-02-10T14:30:00.000Z' } as const // a literal status
const active = { step: '1-log-in', activity: true }
const evidence: AgentEvidence = {
  name: 'browser',
  ending: { kind: 'exited', exitCode: 0 },
  errors: [],
  denials: [],
  reading: { ok: false, code: 'LOG_MISSING', message: 'none' },
  modifiedSpecFiles: [],
  tail: '',
  runId: 'r1',
  startedAtMs: 0,
}

interface Attempt {
  readonly result: string
  readonly directions: readonly Direction['kind'][]
  readonly verdict: ScenarioVerdict | undefined
  readonly login: ScenarioRequest | undefined
}

/** Logs in with an agent of which this is known in the end. */
async function tryLogin(
  found: Partial<AgentEvidence>,
  { leaves = true, reports = 0, refusal }: { leaves?: boolean; reports?: number; refusal?: string } = {},
): Promise<Attempt> {
  const folder = newFolder()
  mkdirSync(folder.at('AUTH_LOGIN.logs'))
  writeFileSync(folder.at('AUTH_LOGIN.logs', 'end.jpg'), 'picture')
  const directions: Direction['kind'][] = []
  let verdict: ScenarioVerdict | undefined
  let login: ScenarioRequest | undefined
  const start = async (request: ScenarioRequest, storageStateOut: string): Promise<AgentRun> => {
    login = request
    if (leaves) writeFileSync(storageStateOut, '{}')
    let left = reports
    return {
      logFile: folder.at('AUTH_LOGIN.logs', 'run.log.md'),
      evidenceDir: folder.at('AUTH_LOGIN.logs'),
      ended: Promise.resolve(),
      awaitStep: async (): Promise<AgentProgress> => ({
        kind: left-- > 0 ? 'reported' : 'ended',
        evidence: { ...evidence, ...found },
        images: [{ file: 'end.jpg', step: '1-log-in' }],
        usage: { inputTokens: 1, outputTokens: 1, durationMs: 42 },
      }),
      direct: ({ kind }) => void directions.push(kind),
      async finish(given) {
        verdict = given
      },
    }
  }
  const request = {
    specFile: folder.at('a.test.md'),
    root: folder.path,
    scenarioTitle: 'Cart',
    specCopy: '/copy/a.test.md',
    steps: [{ id: '1-a', title: 'A', checks: 2, checkLines: [3, 4] }],
    includedFiles: ['/x.md'],
    attempt: 3,
  } as unknown as ScenarioRequest // what a login takes of it
  const result = await logIn(
    { user: '', file: folder.at('AUTH_LOGIN.md'), check: async () => refusal },
    { request, folder: folder.path, start },
  ).then(
    (file) => file.slice(folder.path.length + 1),
    (error: unknown) => String(error),
  )
  return { result, directions, verdict, login }
}

describe('logging in', () => {
  test('is a scenario of one step, without what belongs to the spec that needs it', async () => {
    const { login } = await tryLogin({ reports: [passed], journal: [active] })
    expect(login).toMatchObject({ title: 'Log in', attempt: 1, includedFiles: [], hasSetupProse: false })
    expect(login?.steps).toEqual([{ id: '1-log-in', title: 'Log in', checks: 0, checkLines: [], actsAs: '' }])
    expect(login).not.toHaveProperty('scenarioTitle')
    expect(login).not.toHaveProperty('specCopy')
  })

  test('gives the cookies and the storage of an agent that reports a pass', async () => {
    const { result, directions, verdict } = await tryLogin({ reports: [passed], journal: [active] }, { reports: 1 })
    expect([result, directions]).toEqual(['storage-state.json', ['finish']])
    expect(verdict).toMatchObject({ outcome: 'pass', steps: [{ id: '1-log-in', durationMs: 42, reasons: [] }] })
  })

  test.each<[Partial<AgentEvidence>, { readonly leaves?: boolean; readonly refusal?: string }, string]>([
    [{ reports: [passed], journal: [] }, {}, 'the agent reports a pass and did nothing.'],
    [{ reports: [passed], journal: [{ ...active, activity: false }] }, {}, 'the agent reports a pass and did nothing.'],
    [{ reports: [passed], journal: [active] }, { refusal: 'It shows no `Hello`.' }, 'It shows no `Hello`.'],
    [{ reports: [passed], journal: [active] }, { leaves: false }, 'its cookies and storage could not be saved.'],
    [{ reports: [{ ...passed, status: 'fail', observed: 'Wrong password' }] }, {}, 'Wrong password.'],
    [{ reports: [{ ...passed, status: 'fail', observed: 'Wrong password!' }] }, {}, 'Wrong password!'],
    [{ errors: [{ cause: 'auth', message: 'No key' }] }, {}, 'No key.'],
    [{ ending: { kind: 'stopped', code: 'AGENT_CRASHED', message: 'It is gone.' } }, {}, 'It is gone.'],
    [{}, {}, 'the agent did not report it.'],
  ])('fails with %j: %s', async (found, more, why) => {
    const { result, verdict } = await tryLogin(found, more)
    expect(result).toContain(`\`AUTH_LOGIN.md\` did not pass: ${why} Screenshot: AUTH_LOGIN.logs/end.jpg. The steps`)
    expect(verdict?.outcome).toBe('fail')
  })
})
