import { defineConfig } from 'vitest/config'

const shared = { globalSetup: ['test/build.ts'] }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/real-agents/**', 'test/liars/**', '**/node_modules/**'],
          testTimeout: 60_000,
          // Most of the time goes into processes that wait.
          maxWorkers: '100%',
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'real-agents',
          include: ['test/real-agents/**/*.test.ts'],
          exclude: ['**/node_modules/**'],
          testTimeout: 180_000,
          hookTimeout: 300_000,
          fileParallelism: false,
          // Vitest refuses two worker limits in one group.
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...shared,
          name: 'liars',
          include: ['test/liars/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
