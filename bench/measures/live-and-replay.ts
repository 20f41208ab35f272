import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { at } from '../lib/at.ts'
import { createLiveProject, notesProgram, notesSpec, type LiveProject } from '../lib/live-project.ts'
import type { Measure } from '../lib/measure.ts'
import { timeTests, type TestRun } from '../lib/project.ts'
import { compareTurns, runTurns, type Comparison } from '../lib/rounds.ts'
import { timedRow, type Row } from '../lib/table.ts'
import { assertCount } from '../lib/wrong-count.ts'

const tests = 4
const minTimes = 20
const name = 'a spec, live and replayed'
/** A Vitest reporter that records how long the spec took. */
const reporter = `import { writeFileSync } from 'node:fs'
export default class {
  onTestModuleStart() {
    this.startedAtMs = performance.now()
  }
  onTestModuleEnd() {
    writeFileSync('spec-ms', String(performance.now() - this.startedAtMs))
  }
}
`

interface Took {
  /** Time of the whole process */
  readonly runMs: number
  /** Time from the start of the first step to the end of the scenario */
  readonly specMs: number
}

/** Compares a spec carried out by the real CLI, with a scripted model that answers at once, with its replay. */
export const liveAndReplay: Measure = async ({ rounds = 5, log }) => {
  const live = await createLiveProject({
    'reporter.mjs': reporter,
    'notes.sh': notesProgram,
    'notes.test.md': notesSpec(tests),
  })
  if (!live.ok) return [{ name, verdict: 'skipped', note: live.reason }]
  const took: Record<'off' | 'only', Took[]> = { off: [], only: [] }
  const time = (mode: keyof typeof took) => async (): Promise<number> => {
    took[mode].push(await timeOnce(live, mode))
    return at(took[mode], -1).runMs
  }
  try {
    const { path, env } = live
    await timeTests(live.project, { program: 'mdtest', args: ['record'], tests, path, env })
    const runs = await runTurns(rounds, { live: time('off'), replayed: time('only') })
    log(`the model was asked ${live.asked()} times`)
    // The first turn only warms up caches.
    const [spec, replayed] = [took.off, took.only].map((all) => all.slice(1).map(({ specMs }) => specMs))
    return [
      fasterRow(name, compareTurns(spec ?? [], replayed ?? [])),
      timedRow('the whole run of it, live and replayed', compareTurns(runs.live, runs.replayed)),
    ]
  } finally {
    await live.remove()
  }
}

async function timeOnce({ project, path, env, asked }: LiveProject, mode: 'off' | 'only'): Promise<Took> {
  const before = asked()
  const run: TestRun = {
    program: 'vitest',
    args: ['run'],
    reporters: ['--reporter=json', '--reporter=./reporter.mjs'],
    tests,
    path,
    env: { ...env, REPLAY: mode },
  }
  const runMs = await timeTests(project, run)
  assertCount('whether the model was asked', { expected: mode === 'off', actual: asked() > before })
  return { runMs, specMs: Number(await readFile(join(project.dir, 'spec-ms'), 'utf8')) }
}

function fasterRow(title: string, result: Comparison): Row {
  return {
    ...timedRow(title, result),
    target: `>= ${minTimes}x`,
    verdict: result.ratio.median >= minTimes ? 'ok' : 'over',
  }
}
