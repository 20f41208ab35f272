import { expect, test } from 'vitest'
import { agentEnvironment } from '../../src/agents/agent-environment.ts'

test('keeps what is the user’s own', () => {
  const own = {
    PATH: '/bin',
    HOME: '/h',
    ANTHROPIC_API_KEY: 'k',
    CODEX_HOME: '/c',
    CLAUDE_CONFIG_DIR: '/d',
    EMPTY: '',
    constructor: 'x',
  }
  expect(agentEnvironment({ VITEST: 'true', ...own, GONE: undefined })).toEqual(own)
})

test('drops what Vitest and Vite put there', () => {
  const vitest = { VITEST: 'true', VITEST_POOL_ID: '1', VITEST_WORKER_ID: '1', VITEST_MODE: 'RUN', TEST: 'true' }
  const vite = { NODE_ENV: 'test', MODE: 'test', DEV: '1', PROD: '', SSR: '1', BASE_URL: '/', FORCE_TTY: '' }
  expect(agentEnvironment({ ...vitest, ...vite, PATH: '/bin' })).toEqual({ PATH: '/bin' })
})

test('keeps variables of the same names that hold something else', () => {
  const own = { NODE_ENV: 'production', MODE: 'staging', BASE_URL: 'https://example.com', TEST: 'suite-a' }
  expect(agentEnvironment({ VITEST: 'true', ...own })).toEqual(own)
})

test('keeps them outside Vitest', () => {
  const own = { NODE_ENV: 'test', MODE: 'test', DEV: '1', VITESTING: 'x' }
  expect(agentEnvironment(own)).toEqual(own)
})

test('drops what an outer coding agent put there', () => {
  const outer = { CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli', CODEX_THREAD_ID: 't', CODEX_CI: '1' }
  expect(agentEnvironment(outer)).toEqual({})
})

test.each([
  ['--inspect', undefined],
  ['--inspect-brk=127.0.0.1:9229 --max-old-space-size=4096', '--max-old-space-size=4096'],
  ['--use-openssl-ca --inspect=0', '--use-openssl-ca'],
  ['--require ./inspect.js --inspector-like', '--require ./inspect.js --inspector-like'],
])('NODE_OPTIONS %j becomes %j', (before, after) => {
  expect(agentEnvironment({ NODE_OPTIONS: before }).NODE_OPTIONS).toBe(after)
})
