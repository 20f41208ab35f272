import { expect, test } from 'vitest'
import { createProject, type Project } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'

const prose = (title: string, head = ''): string => `# ${title}\n\n${head}Put a mug into the cart.\n`

/** A project whose agent is this shell script; the log is `$1`. */
function projectWith(script: string, spec: string): Promise<Project> {
  const options = `{ agent: { command: ['sh', 'agent.sh', '{log}'] } }`
  return createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest(${options})] }\n`,
    'agent.sh': script,
    'shop.test.md': spec,
  })
}

const flakyAgent = `echo start >> starts
status=pass; [ "$(wc -l < starts)" -lt 3 ] && status=fail
printf -- "---\\nstatus: $status\\n---\\n" > "$1"
`

test('a blocked step says so in message, meta, JUnit and the last lines', async () => {
  await using project = await projectWith('kill -9 $$\n', prose('Shop'))
  const json = await project.vitest(['run', '--reporter=json'])
  expect(json.exitCode).toBe(1)
  expect(readJsonReport(json.stdout)['shop.test.md']).toMatchObject([{ status: 'failed', outcome: 'blocked' }])
  expect(json.stdout).toContain('blocked: AGENT_CRASHED: The agent `command` was killed')
  const { stdout: junit } = await project.vitest(['run', '--reporter=junit'])
  expect(junit).toContain('<property name="mdtest:outcome" value="blocked">')
  expect(junit).toContain('<property name="mdtest:reason" value="AGENT_CRASHED">')
  expect(junit).toMatch(/<failure message="blocked: AGENT_CRASHED/)
  const { all } = await project.vitest(['run'])
  expect(all).toContain('This is not a failure of the product.')
  expect(all).toContain('agents: 1 scenario, usage unknown')
  expect(all).toContain('steps: 0 passed; 1 blocked')
  const { stdout } = await project.mdtest(['run'])
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('0 passed, 0 failed, 1 blocked')
})

test('a pass at a later try is flaky', async () => {
  await using project = await projectWith(flakyAgent, prose('Shop', '<!-- mdtest: retry=3 -->\n\n'))
  const { exitCode, stdout } = await project.vitest(['run', '--reporter=json'])
  expect(exitCode).toBe(0)
  expect(readJsonReport(stdout)['shop.test.md']).toMatchObject([{ status: 'passed', outcome: 'pass', flaky: true }])
  expect(await project.read('starts')).toBe('start\nstart\nstart\n')
  await project.write('starts', '')
  const { stdout: junit, all } = await project.vitest(['run', '--reporter=junit'])
  expect(junit).toContain('<property name="mdtest:flaky" value="flaky: passed at try 3">')
  expect(all).toContain('agents: 1 scenario, 3 starts, usage unknown')
  expect(all).toContain('steps: 1 passed: 1 claimed; 1 flaky')
  const again = await project.vitest(['run', '--reporter=json'])
  expect(readJsonReport(again.stdout)['shop.test.md']?.[0]?.flaky).toBeUndefined()
})

test('our lines keep away from the standard output of a machine reporter', async () => {
  await using project = await projectWith(`printf -- '---\\nstatus: pass\\n---\\n' > "$1"\n`, prose('Shop'))
  const { stdout, stderr } = await project.vitest(['run', '--reporter=tap'])
  expect(stdout).toMatch(/^TAP version 13\n/)
  expect(stdout).not.toContain('steps: 1')
  expect(stderr).toContain('steps: 1 passed: 1 claimed')
})
