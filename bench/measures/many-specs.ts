import { availableParallelism } from 'node:os'
import { importCompiled } from '../lib/import-compiled.ts'
import type { Log, Measure } from '../lib/measure.ts'
import { createProject, mdtestConfig, plainConfig, timeTests, type Project, type TestRun } from '../lib/project.ts'
import { runRounds } from '../lib/rounds.ts'
import { createSpawnCounter } from '../lib/spawn-counter.ts'
import { files, specText, stepsPerSpec, testText } from '../lib/spec-texts.ts'
import { timedRow } from '../lib/table.ts'
import { assertCount } from '../lib/wrong-count.ts'

const { resolveOptions } =
  await importCompiled<typeof import('../../src/plan/options/option-defaults.ts')>('plan/options/option-defaults')
const { specsProject } =
  await importCompiled<typeof import('../../src/vitest/plugin/project.ts')>('vitest/plugin/project')

const specCount = 300
const tests = specCount * stepsPerSpec
const run: TestRun = { program: 'vitest', args: ['run'], tests }

/** Compares 300 specs without agent with 300 plain test files that spawn the same processes. */
export const manySpecs: Measure = async ({ rounds = 5, log }) => {
  const specs = await createProject({
    'vitest.config.ts': mdtestConfig,
    ...files(specCount, (n) => [`specs/s${n}.test.md`, specText(`Spec ${n}`)]),
  })
  const plain = await createProject({
    'vitest.config.ts': plainConfig,
    ...files(specCount, (n) => [`tests/t${n}.test.ts`, testText(`Spec ${n}`)]),
  })
  try {
    await countSpawns(specs, { sh: tests, bash: specCount }, log)
    await countSpawns(plain, { sh: tests, bash: 0 }, log)
    const maxWorkers = specsProject({ options: resolveOptions({}), commandLine: {} }, {}).test?.maxWorkers
    log(`workers: ${maxWorkers} for specs (mdtest's default), ${defaultWorkers()} for plain files (Vitest's default)`)
    const result = await runRounds({
      rounds,
      ours: () => timeTests(specs, run),
      plain: () => timeTests(plain, run),
    })
    return [timedRow(`${specCount} specs x ${stepsPerSpec} steps`, result, { maxRatio: 1.2 })]
  } finally {
    await Promise.all([specs.remove(), plain.remove()])
  }
}

/** Counts in a separate round, which is not timed. Each spec has one bash for all its steps. */
async function countSpawns(project: Project, expected: Readonly<Record<string, number>>, log: Log): Promise<void> {
  const counter = await createSpawnCounter(project.dir, Object.keys(expected))
  await timeTests(project, { ...run, path: counter.path })
  const started = await counter.take()
  for (const [name, count] of Object.entries(expected)) {
    assertCount(`started \`${name}\``, { expected: count, actual: started[name] })
  }
  log(`counted: ${tests} tests, ${started.sh} sh, ${started.bash} bash`)
}

function defaultWorkers() {
  return Math.max(availableParallelism() - 1, 1)
}
