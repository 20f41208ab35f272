import { availableParallelism } from 'node:os'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { programsFolder } from './test/support/programs-folder.ts'

const cores = availableParallelism()

/** Folders of `test/` whose tests start whole programs. All others are unit tests. */
const programs = ['e2e', 'browser', 'real-agents', 'liars']

type ProjectOptions = NonNullable<TestProjectInlineConfiguration['test']>

/** Version managers renew their shims whenever a login shell starts. The programs behind them are in the folder. */
const path = [
  programsFolder,
  ...(process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.endsWith('/shims')),
]

/** Set by `scripts/test.ts` where slow tests are left out. */
const leftOut = process.env.MDTEST_SLOW === '0' ? ['**/*.slow.test.ts'] : []

/** Projects run one after another, in this order: what one of them measures or starts, no other disturbs. */
function project(name: string, order: number, options: ProjectOptions): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include: [`test/${name}/**/*.test.ts`],
      exclude: ['**/node_modules/**', ...leftOut],
      sequence: { groupOrder: order },
      globalSetup: ['test/build.ts'],
      // Tests put back what they change, so files share workers and what these have loaded.
      isolate: false,
      execArgv: ['--max-semi-space-size=64'],
      // A result file has the message alone, without what was expected line by line.
      chaiConfig: { truncateThreshold: 0 },
      env: { PATH: path.join(delimiter) },
      // Nothing is told by time: a limit ends what hangs, on a machine of any speed.
      testTimeout: 300_000,
      hookTimeout: 600_000,
      expect: { poll: { timeout: 30_000, interval: 20 } },
      ...options,
    },
  }
}

// `*.slow.test.ts` is left out of `npm test`, and is what `npm run test:rest` runs.
export default defineConfig({
  test: {
    // By their text: what did not change since an earlier run is not compiled again.
    experimental: { fsModuleCache: true, fsModuleCachePath: fileURLToPath(new URL('.cache/vitest', import.meta.url)) },
    projects: [
      project('unit', 0, {
        include: ['test/**/*.test.ts'],
        exclude: [...programs, 'repository', 'lanes'].map((folder) => `test/${folder}/**`).concat(leftOut),
        maxWorkers: cores + 1,
      }),
      project('repository', 0, { maxWorkers: cores + 1 }),
      // Programs and unit tests wait for processes for a third of their time.
      project('e2e', 1, { maxWorkers: cores + 1, maxConcurrency: 3 }),
      project('real-agents', 2, { maxWorkers: cores, maxConcurrency: 2 }),
      project('browser', 3, { maxWorkers: cores }),
      // Its tests look into modules that others may have loaded.
      project('liars', 4, { maxWorkers: cores, isolate: true }),
    ],
  },
})
