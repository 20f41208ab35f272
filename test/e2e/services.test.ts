import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { freePort } from '../support/free-port.ts'
import { happensWithin, leftAfter, processesOf } from '../support/leftovers.ts'

const server = `import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const server = createServer((request, response) => {
  console.log(request.url)
  response.end('hello\\n')
})
server.listen(0, '127.0.0.1', () => writeFileSync('port', String(server.address().port)))
`

const get = `node -e 'fetch("http://127.0.0.1:" + process.argv[1]).then((r) => r.text()).then((t) => process.stdout.write(t))'`

const spec = `---
agent: none
cwd: temp
---

# Shop

## Setup

\`\`\`js file=server/main.mjs
${server}
\`\`\`

\`\`\`sh background wait=file:server/port cwd=server
node main.mjs
\`\`\`

## Answers

\`\`\`console
$ ${get} "$(cat server/port)"
hello
\`\`\`

## Answers still

\`\`\`sh verify
${get} "$(cat server/port)"
\`\`\`

\`\`\`output
hello
\`\`\`

## Teardown

\`\`\`sh
${get} "$(cat server/port)" >"$TESTDIR/torn-down"
\`\`\`
`

test('a service is there for all steps and the tear-down, and then gone', async () => {
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'shop.test.md': spec })
  const { exitCode, stdout, all } = await project.vitest(['run', '--reporter=json'])
  expect(exitCode, all).toBe(0)
  expect(verdictsOf(stdout, 'shop.test.md')).toEqual(['pass verified', 'pass verified'])
  expect(await project.read('torn-down')).toBe('hello\n')
  expect(await leftAfter(project.dir)).toEqual([])
})

test('a block that skips its scenario is seen in every report', async () => {
  const text = `---
agent: none
---

# Docker

## Needs nothing

\`\`\`sh
true
\`\`\`

## Needs Docker

\`\`\`sh
echo "no docker here"
exit 80
\`\`\`

## Comes after

\`\`\`sh
touch later
\`\`\`

## Teardown

\`\`\`sh
touch torn-down
\`\`\`

# All of it

## Setup

\`\`\`console
$ exit 80
\`\`\`

## Never runs

\`\`\`sh
touch later
\`\`\`
`
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'docker.test.md': text })
  const { exitCode, stdout, all } = await project.vitest(['run', '--reporter=json'])
  expect(exitCode, all).toBe(0)
  const skipped = { status: 'skipped', outcome: 'skipped', codes: ['SKIPPED_BY_BLOCK'] }
  expect(readJsonReport(stdout)['docker.test.md']).toMatchObject([
    { status: 'passed', outcome: 'pass' },
    { ...skipped, messages: [expect.stringContaining('no docker here')] },
    { ...skipped, messages: [expect.stringContaining('no docker here')] },
    { ...skipped, messages: [expect.stringContaining('`exit 80`')] },
  ])
  expect(existsSync(project.path('later'))).toBe(false)
  expect(existsSync(project.path('torn-down'))).toBe(true)
  const { stdout: junit } = await project.vitest(['run', '--reporter=junit'])
  expect(junit.match(/<skipped\/?>/g)).toHaveLength(3)
  expect(junit).toMatch(/<property name="mdtest:skip" value="The script ended with exit code 80[^"]*no docker here/)
  const verbose = await project.vitest(['run', '--reporter=verbose'])
  expect(verbose.all).toContain('no docker here')
  expect(verbose.all).toContain('1 passed | 3 skipped')
  await project.write('docker.test.md', text.replace(/## Needs nothing[^]*?(?=## Needs Docker)/, ''))
  const own = await project.mdtest(['run'])
  expect(own.exitCode).not.toBe(0)
  expect(own.all).toContain('No test ran: all were skipped.')
})

test('a service that dies fails the step that was under way', async () => {
  const text = `---\nagent: none\n---\n\n# T\n\n## Starts\n\n\`\`\`sh background\necho "no port"; exit 3\n\`\`\`\n
## Goes on\n\n\`\`\`sh\nsleep 0.5\n\`\`\`\n\n## Comes after\n\n\`\`\`sh\ntouch later\n\`\`\`\n`
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'a.test.md': text })
  const { stdout } = await project.vitest(['run', '--reporter=json'])
  const [, second, third] = readJsonReport(stdout)['a.test.md'] ?? []
  expect(second).toMatchObject({ outcome: 'fail', codes: ['RUN_FAILED'] })
  expect(second?.messages?.[0]).toContain(
    'The service of line 9 ended by itself with exit code 3. Its output:\n  no port',
  )
  expect(third).toMatchObject({ outcome: 'skipped' })
  const { all } = await project.vitest(['run'])
  expect(all).toContain('a.test.md:10:1')
})

test('a port that is open already is no service', async () => {
  const port = await freePort()
  const listen = `node -e 'require("net").createServer().listen(${port}, "127.0.0.1")'`
  const block = (attributes: string): string =>
    `\`\`\`sh background wait=port:${port} ${attributes}\n${listen}\n\`\`\`\n`
  const text = `---\nagent: none\n---\n\n# T\n\n## One\n\n${block('')}\n## Another\n\n${block('env.A=1')}\n`
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'a.test.md': text })
  const { stdout } = await project.vitest(['run', '--reporter=json'])
  const [, second] = readJsonReport(stdout)['a.test.md'] ?? []
  expect(verdictsOf(stdout, 'a.test.md')).toEqual(['pass verified', 'fail RUN_FAILED'])
  expect(second?.messages?.[0]).toContain(`Port ${port} is open before the block has run.`)
})

test.for(['SIGKILL', 'SIGINT'] as const)('a service is gone after %s to the run', async (signal) => {
  const text = `---\nagent: none\n---\n\n# T\n\n## Starts\n\n\`\`\`sh background\ntrap '' TERM INT HUP; touch up; while :; do sleep 1; done\n\`\`\`\n
## Waits\n\n\`\`\`sh\nuntil test -e up; do sleep 0.1; done; touch ready; sleep 300\n\`\`\`\n`
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'a.test.md': text })
  const running = project.start('vitest', ['run', '--pool=forks'])
  expect(await happensWithin(20_000, () => existsSync(project.path('ready')))).toBe(true)
  if (running.pid !== undefined) process.kill(running.pid, signal)
  await running
  expect(await leftAfter(project.dir)).toEqual([])
})

test('a service is gone after its worker was killed', async () => {
  const text = `---\nagent: none\n---\n\n# T\n\n## Starts\n\n\`\`\`sh background wait=file:up\ntouch up; exec sleep 300\n\`\`\`\n
## Waits\n\n\`\`\`sh\ntouch ready; sleep 300\n\`\`\`\n`
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'a.test.md': text })
  const running = project.start('vitest', ['run', '--pool=forks'])
  expect(await happensWithin(20_000, () => existsSync(project.path('ready')))).toBe(true)
  const worker = processesOf(project.dir).find(({ line }) => line.includes('workers/forks'))
  if (worker) process.kill(worker.pid, 'SIGKILL')
  await running
  expect(await leftAfter(project.dir)).toEqual([])
})

test('exit code 80 hides no failure once the agent has worked, and none in a retry', async () => {
  const verified = `# Shop\n\n## Buy\n\nPut a mug into the cart.\n\n\`\`\`sh verify\nsh tool.sh\n\`\`\`\n`
  const retried = `# Shop\n\n## Setup\n\n\`\`\`sh run\nsh tool.sh\n\`\`\`\n\n## Buy\n\n<!-- mdtest: retry=1 -->\n\nPut a mug into the cart.\n`
  const agent = `echo 'exit 80' > tool.sh\nstatus=pass; case "$1" in *retried*) status=fail;; esac\nprintf -- "---\\nstatus: $status\\n---\\n" > "$1"\n`
  const config = `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: { command: ['sh', 'agent.sh', '{log}'] } })] }\n`
  const files = { 'vitest.config.js': config, 'agent.sh': agent, 'tool.sh': 'true\n' }
  await using project = await createProject({ ...files, 'verified.test.md': verified })
  const first = await project.vitest(['run', '--reporter=json'])
  expect(verdictsOf(first.stdout, 'verified.test.md')).toEqual(['fail VERIFY_FAILED'])
  await using other = await createProject({ ...files, 'retried.test.md': retried })
  const second = await other.vitest(['run', '--reporter=json'])
  expect(second.exitCode).toBe(1)
  expect(verdictsOf(second.stdout, 'retried.test.md')).toEqual(['fail SETUP_FAILED'])
})

test('exit code 80 skips nothing once an agent of another spec has worked', async () => {
  const first = `# Shop\n\n## Buy\n\nPut a mug into the cart.\n`
  const second = `---\nagent: none\n---\n\n# Cart\n\n## Setup\n\n\`\`\`sh run\nsh tool.sh\n\`\`\`\n\n## Holds the mug\n\n\`\`\`sh\nfalse\n\`\`\`\n`
  const agent = `echo 'exit 80' > tool.sh\nprintf -- "---\\nstatus: pass\\n---\\n" > "$1"\n`
  const config = `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: { command: ['sh', 'agent.sh', '{log}'] } })] }\n`
  await using project = await createProject({
    'vitest.config.js': config,
    'agent.sh': agent,
    'tool.sh': 'true\n',
    'a.test.md': first,
    'b.test.md': second,
  })
  const run = await project.mdtest(['run', 'a.test.md', 'b.test.md'])
  expect(run.exitCode, run.all).toBe(1)
  expect(run.all).toContain('only before the first agent of the run is started')
  expect(run.all.trimEnd().split('\n').at(-1)).toBe('1 passed, 1 failed')
  const alone = await project.mdtest(['run', 'b.test.md', '--pass-with-no-tests'])
  expect(alone.all).toContain('0 passed, 0 failed')
})

test('files are written into the working directory only', async () => {
  const text = `---\nagent: none\ncwd: temp\n---\n\n# T\n\n## One\n\n\`\`\`sh\ncat a/b.json\n\`\`\`\n\n\`\`\`output\n{}\n\`\`\`\n
\`\`\`json file=a/b.json\n{}\n\`\`\`\n\n\`\`\`sh\nln -s "$TESTDIR" out\n\`\`\`\n\n## Two\n\n\`\`\`text file=out/caught\nx\n\`\`\`\n`
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'a.test.md': text })
  const { stdout } = await project.vitest(['run', '--reporter=json'])
  expect(verdictsOf(stdout, 'a.test.md')).toEqual(['pass verified', 'fail RUN_FAILED'])
  expect(readJsonReport(stdout)['a.test.md']?.[1]?.messages?.[0]).toContain('`out` is a link')
  expect(existsSync(project.path('caught'))).toBe(false)
  await project.write('a.test.md', text.replace('cwd: temp\n', ''))
  const { all } = await project.vitest(['run'])
  expect(all).toContain('file-in-project')
})
