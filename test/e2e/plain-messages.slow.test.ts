import { expect, test } from 'vitest'
import { createGateProject } from '../support/gate-project.ts'
import { expectPlain, hostileOutput } from '../support/hostile-output.ts'
import { createRepository, startSession } from '../support/mcp-session.ts'

const suite = `import test from 'node:test'
console.log(${JSON.stringify(hostileOutput)})
test(${JSON.stringify(`name ${hostileOutput}`)}, () => { throw new Error(${JSON.stringify(hostileOutput)}) })
`

test('names and messages of foreign tests are obeyed by nobody: mdtest gate', async () => {
  const commands = { compile: null, lint: null, test: 'node --test a.test.mjs' }
  const config = JSON.stringify({ commands, executionLog: true })
  using gated = createGateProject({ 'mdtest.config.json': config, 'a.test.mjs': suite })
  for (const more of [[], ['--json']]) {
    const { stdout, stderr, exitCode } = await gated.gate('--agent', 'none', ...more)
    expect(exitCode).toBe(1)
    expectPlain(`${stdout}\n${stderr}`)
  }
  expectPlain(gated.read('EXECUTION-LOG.md'))
})

test('names and messages of foreign tests are obeyed by nobody: run_test', async () => {
  await using repository = await createRepository({ 'a.test.mjs': suite })
  await using session = await startSession(repository)
  const { text, content } = await session.call({ runner: 'node', scope: 'all' })
  expect(content).toMatchObject({ status: 'fail' })
  expectPlain(text)
  const strings = JSON.stringify(content.failing_tests.map(({ name, message }) => `${name}\n${message}`))
  for (const one of JSON.parse(strings) as string[]) expectPlain(one) // what was written above
})
