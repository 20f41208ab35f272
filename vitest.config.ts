import { availableParallelism } from 'node:os'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { programsFolder } from './test/support/programs-folder.ts'

// Tests put back what they change, so files share workers and what these have loaded. Many of them start processes and wait
// for them, on machines that others use too: CI gives each a second try, and `count-results.ts` names who needed it.
const shared = {
  globalSetup: ['test/build.ts'],
  isolate: false,
  retry: process.env.CI ? 1 : 0,
  // A result file has the message alone, without what was expected line by line.
  chaiConfig: { truncateThreshold: 0 },
  env: { PATH: [programsFolder, process.env.PATH].join(delimiter) },
}

/** Tests of whole programs wait for most of their time, and files of all projects fill each other's gaps. */
const programs = { ...shared, maxWorkers: 2 * availableParallelism(), sequence: { groupOrder: 1 } }

export default defineConfig({
  test: {
    // By their text: what did not change since an earlier run is not compiled again.
    experimental: { fsModuleCache: true, fsModuleCachePath: fileURLToPath(new URL('.cache/vitest', import.meta.url)) },
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/browser/**',
            'test/e2e/**',
            'test/foreign/**',
            'test/real-agents/**',
            'test/liars/**',
            '**/node_modules/**',
          ],
          testTimeout: 60_000,
          // Most of the time goes into processes that wait.
          maxWorkers: 2 * availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...programs,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...programs,
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          // Each of these starts four browsers at once, and those do not wait.
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          testTimeout: 300_000,
        },
      },
      {
        test: {
          ...programs,
          name: 'foreign',
          include: ['test/foreign/**/*.test.ts'],
          testTimeout: 300_000,
        },
      },
      {
        test: {
          ...programs,
          name: 'real-agents',
          include: ['test/real-agents/**/*.test.ts'],
          exclude: ['**/node_modules/**'],
          // Of tests in one file: an agent starts with a second of work and 200 MB.
          maxConcurrency: 3,
          testTimeout: 180_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          ...programs,
          name: 'liars',
          // Some of these wait for a second or two for what others do: nothing else is at work meanwhile.
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
          // It looks into a module that others may have loaded.
          isolate: true,
          include: ['test/liars/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
})
