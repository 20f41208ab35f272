import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { beforeAll, expect, test } from 'vitest'
import type { FixReport } from '../../src/commands/fix/session/fix-report.ts'
import type { SessionState } from '../../src/commands/fix/session/session-state.ts'
import { isDeep } from '../support/depth.ts'
import { createFixProject, type FixProject } from '../support/fix-project.ts'
import { spawnCommand } from '../support/spawn-command.ts'

const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/bin/${name}`, import.meta.url))

/** In one small file, because some hundred processes load it. */
const driver = fileURLToPath(new URL('../../.cache/fix-until-point.mjs', import.meta.url))
beforeAll(async () => {
  await build({
    input: fixture('fix-until-point.mjs'),
    platform: 'node',
    logLevel: 'silent',
    output: {
      file: driver,
      format: 'esm',
      codeSplitting: false,
      minify: { compress: false, mangle: false, codegen: true },
    },
  })
})

/** A test fails where its file does not say `right`. */
const script = `#!/bin/sh
failed=0
details=
for name in a b; do
  grep -q right $name.txt || { failed=$((failed + 1)); details="$details{\\"name\\":\\"$name\\"},"; }
done
echo "{\\"total\\":2,\\"failed\\":$failed,\\"details\\":[\${details%,}],\\"summary_path\\":\\"x\\"}"
[ $failed = 0 ]
`

/** First it makes something worse, which is undone; then it is right. Half of what it does is in new files. */
const plan = {
  script,
  byAttempt: true,
  attempts: [
    { write: { 'a.txt': 'right\n', 'b.txt': 'wrong\n', 'new/worse.txt': '' }, remove: ['notes.txt'] },
    // What is left out is there at some points, too.
    { write: { 'a.txt': 'right\n', 'new/better.txt': '', 'left/out.cfg': '' } },
  ],
}

interface Trace {
  readonly points: readonly string[]
  /** What came of it, without what differs from run to run. */
  readonly end: unknown
}

/** Works on a session until its end, by as many processes as it takes; each dies at the first of these points. */
async function runTrace(
  deadly: ReadonlySet<string>,
  hasGit: boolean,
): Promise<Trace & { readonly kills: readonly string[] }> {
  using project = createFixProject({ 'a.txt': 'wrong\n', 'b.txt': 'right\n' })
  project.write('notes.txt', 'not committed\n')
  project.plan(plan)
  if (!hasGit) rmSync(project.path('.git'), { recursive: true })
  const left = new Set(deadly)
  const points: string[] = []
  const kills: string[] = []
  let session = '-'
  for (;;) {
    const argv = [
      process.execPath,
      driver,
      project.root,
      session,
      project.planFile,
      JSON.stringify([...left]),
      fixture('fixing-agent.mjs'),
    ] as const // one at least
    const { VITEST: _vitest, ...env } = process.env
    const ended = await spawnCommand({ argv, cwd: project.root, env: env as Record<string, string> }, 280_000) // no undefined
    const lines = ended.stdout.split('\n').filter(Boolean)
    session = lines.find((line) => line.startsWith('session '))?.slice('session '.length) ?? session
    const passed = lines.filter((line) => line.startsWith('point ')).map((line) => line.slice('point '.length))
    points.push(...passed)
    const report = lines.find((line) => line.startsWith('report '))
    if (report !== undefined) return { points, kills, end: endOf(project, report) }
    const last = passed.at(-1) ?? ''
    if (ended.signal !== 'SIGKILL' || !left.delete(last)) throw new Error(`${last}: ${ended.stdout}${ended.stderr}`)
    kills.push(last)
    // Before the first save there is no session to go on with.
    if (last === firstSave) session = '-'
  }
}

const firstSave = '0 save of a finished act: before'

function endOf(project: FixProject, report: string): unknown {
  const { session_id: id, result, reason, attempts } = JSON.parse(report.slice('report '.length)) as FixReport // by its schema
  const files = Object.fromEntries(
    ['a.txt', 'b.txt', 'notes.txt', 'new/better.txt'].map((name) => [name, project.read(name)]),
  )
  const saved = project.read(`.mdtest/sessions/${id}/state.json`)
  const { history, act, state } = JSON.parse(saved) as SessionState // by its schema
  return { result, reason, attempts, files, history, act, state }
}

/** Every other point, half of these in a repository; deep, all of them, by each kind of project more than once. */
function tracesOf(points: readonly string[]): readonly (readonly [deadly: ReadonlySet<string>, hasGit: boolean])[] {
  if (isDeep) return [true, true, false, false, false].map((hasGit) => [new Set(points), hasGit])
  return [true, false].map((hasGit) => [new Set(points.filter((_, index) => index % 4 === (hasGit ? 0 : 3))), hasGit])
}

test('killed at any point, a session goes on to the same end', async () => {
  const [plain, withoutGit] = await Promise.all([runTrace(new Set(), true), runTrace(new Set(), false)])
  expect(plain.end).toMatchObject({ result: 'success', attempts: 2, files: { 'notes.txt': 'not committed\n' } })
  expect(withoutGit).toMatchObject({ end: plain.end, points: plain.points })
  expect(new Set(plain.points).size).toBe(plain.points.length)

  const wanted = tracesOf(plain.points)
  const traces = await Promise.all(wanted.map(([deadly, hasGit]) => runTrace(deadly, hasGit)))
  for (const { end } of traces) expect(end).toEqual(plain.end)
  expect(traces.map(({ kills }) => kills)).toEqual(wanted.map(([deadly]) => [...deadly]))
}, 900_000)
