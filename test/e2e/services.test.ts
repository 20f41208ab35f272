import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject, plainConfig, type Finished, type Project } from '../support/create-project.ts'
import { freePort } from '../support/free-port.ts'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { leftAfter } from '../support/leftovers.ts'

const server = `import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const server = createServer((request, response) => {
  console.log(request.url)
  response.end('hello\\n')
})
server.listen(0, '127.0.0.1', () => writeFileSync('port', String(server.address().port)))
`
const get = `node -e 'fetch("http://127.0.0.1:" + process.argv[1]).then((r) => r.text()).then((t) => process.stdout.write(t))'`

const block = (words: string, code: string): string => `\`\`\`${words}\n${code}\n\`\`\`\n\n`
const spec = (body: string, head = ''): string => `---\nagent: none\n${head}---\n\n# Shop\n\n${body}`

const shop = spec(
  `## Setup

${block('js file=server/main.mjs', server)}${block('sh background wait=file:server/port cwd=server', 'node main.mjs')}## Answers

${block('console', `$ ${get} "$(cat server/port)"\nhello`)}## Answers still

${block('sh verify', `${get} "$(cat server/port)"`)}${block('output', 'hello')}## Teardown

${block('sh', `${get} "$(cat server/port)" >"$TESTDIR/torn-down"`)}`,
  'cwd: temp\n',
)
const skips = spec(
  `## Needs nothing

${block('sh', 'true')}## Needs Docker

${block('sh', 'echo "no docker here"\nexit 80')}## Comes after

${block('sh', 'touch later')}## Teardown

${block('sh', 'touch torn-down-skip')}# All of it

## Setup

${block('console', '$ exit 80')}## Never runs

${block('sh', 'touch later')}`,
)
const dies = spec(
  `## Starts

${block('sh background', 'echo "no port"; echo $BASHPID > service; until test -e go; do sleep 0.1; done; exit 3')}## Goes on

${block('sh', 'touch go; while kill -0 "$(cat service)"; do sleep 0.1; done; sleep 2')}## Comes after

${block('sh', 'sleep 2')}## Comes last

${block('sh', 'true')}`,
)
const filesSpec = spec(
  `## One

${block('sh', 'cat a/b.json')}${block('output', '{}')}${block('json file=a/b.json', '{}')}${block('sh', 'ln -s "$TESTDIR" out')}## Two

${block('text file=out/caught', 'x')}`,
  'cwd: temp\n',
)

let project: Project
let run: Finished
let port: number
const testsOf = (name: string) => readJsonReport(run.stdout)[`${name}.test.md`] ?? []

beforeAll(async () => {
  port = await freePort()
  const listen = `node -e 'require("net").createServer().listen(${port}, "127.0.0.1")'`
  const listening = (more = ''): string => block(`sh background wait=port:${port}${more}`, listen)
  project = await createProject({
    'vitest.config.js': plainConfig,
    'shop.test.md': shop,
    'skips.test.md': skips,
    'dies.test.md': dies,
    'port.test.md': spec(`## One\n\n${listening()}## Another\n\n${listening(' env.A=1')}`),
    'files.test.md': filesSpec,
    'in-root.test.md': filesSpec.replace('cwd: temp\n', ''),
  })
  const reporters = ['--reporter=verbose', '--reporter=junit', '--outputFile.junit=junit.xml']
  run = await project.vitest(['run', '--reporter=json', ...reporters])
})
afterAll(() => project[Symbol.asyncDispose]())

test('a service is there for all steps and the tear-down, and then gone', async () => {
  expect(verdictsOf(run.stdout, 'shop.test.md'), run.all).toEqual(['pass verified', 'pass verified'])
  expect(await project.read('torn-down')).toBe('hello\n')
  expect(await leftAfter(project.dir, 60_000)).toEqual([])
})

test('a service that dies fails the step that was under way', () => {
  const [first, ...behind] = testsOf('dies')
  expect(first).toMatchObject({ outcome: 'pass' })
  // That it has died may be heard of a step later.
  const failed = behind.findIndex(({ outcome }) => outcome !== 'pass')
  expect(behind[failed], run.all).toMatchObject({ outcome: 'fail', codes: ['RUN_FAILED'] })
  expect(behind[failed]?.messages?.[0]).toContain(
    'The service of line 9 ended by itself with exit code 3. Its output:\n  no port',
  )
  expect(run.all).toContain('dies.test.md:10:1')
  expect(behind.slice(failed + 1).every(({ outcome }) => outcome === 'pass')).toBe(true)
})

test('a port that is open already is no service', () => {
  expect(verdictsOf(run.stdout, 'port.test.md')).toEqual(['pass verified', 'fail RUN_FAILED'])
  expect(testsOf('port')[1]?.messages?.[0]).toContain(`Port ${port} is in use already`)
})

test('a block that skips its scenario is seen in every report', async () => {
  const skipped = { status: 'skipped', outcome: 'skipped', codes: ['SKIPPED_BY_BLOCK'] }
  expect(testsOf('skips')).toMatchObject([
    { status: 'passed', outcome: 'pass' },
    { ...skipped, messages: [expect.stringContaining('no docker here')] },
    { ...skipped, messages: [expect.stringContaining('no docker here')] },
    { ...skipped, messages: [expect.stringContaining('`exit 80`')] },
  ])
  expect([existsSync(project.path('later')), existsSync(project.path('torn-down-skip'))]).toEqual([false, true])
  const junit = await project.read('junit.xml')
  expect(junit).toMatch(/<property name="mdtest:skip" value="The script ended with exit code 80[^"]*no docker here/)
  expect(run.all).toMatch(/↓ .*Needs Docker [^]*no docker here/)
})

test('files are written into the working directory only', () => {
  expect(verdictsOf(run.stdout, 'files.test.md')).toEqual(['pass verified', 'fail RUN_FAILED'])
  expect(testsOf('files')[1]?.messages?.[0]).toContain('`out` is a symbolic link')
  expect(existsSync(project.path('caught'))).toBe(false)
  expect(run.all).toContain('file-in-project')
})

test('exit code 80 hides no failure once an agent has worked, neither in a retry nor in another spec', async () => {
  const buy = '## Buy\n\nPut a mug into the cart.\n\n'
  const setUp = (name: string): string => `# Shop\n\n## Setup\n\n${block('sh run', `sh ${name}.sh`)}`
  await using other = await createProject({
    'vitest.config.js': `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: { command: ['sh', 'agent.sh', '{log}'] } })] }\n`,
    'agent.sh': `for name in *.sh; do test $name = agent.sh || echo 'exit 80' > $name; done
status=pass; case "$1" in *a-retried*) status=fail;; esac
printf -- "---\\nstatus: $status\\n---\\n" > "$1"
`,
    ...Object.fromEntries(['retried', 'verified', 'later'].map((name) => [`${name}.sh`, 'true\n'])),
    'a-retried.test.md': setUp('retried') + buy.replace('Put', '<!-- mdtest: retry=1 -->\n\nPut'),
    'b-verified.test.md': `# Shop\n\n${buy}${block('sh verify', 'sh verified.sh')}`,
    'c-later.test.md': `---\nagent: none\n---\n\n${setUp('later')}## Holds the mug\n\n${block('sh', 'false')}`,
  })
  const { stdout, all } = await other.mdtest(['run', '--reporter=json'])
  const [retried, verified, later] = ['a-retried', 'b-verified', 'c-later'].map((name) =>
    verdictsOf(stdout, `${name}.test.md`),
  )
  expect([retried, verified, later], all).toEqual([
    ['fail SETUP_FAILED'],
    ['fail VERIFY_FAILED'],
    ['fail SETUP_FAILED'],
  ])
  expect(stdout).toContain('only before the first agent of the run is started')
})
