import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { readJsonReport } from '../support/json-report.ts'
import { listen } from '../support/listen.ts'

const spec = '# Shop\n\n## Open\n\nOpen the shop.\n'
const config = `import { mdtest } from 'vitest-mdtest'\nexport default { plugins: [mdtest({ agent: 'browser' })] }\n`
const address = ['--base-url', 'http://127.0.0.1:9/']
const noKey = 'needs the variable `OPENAI_API_KEY`. Set it in the environment or in the file `.env` of the suite root.'

test('what a browser spec lacks is one sentence and exit code 2, and nothing is started', async () => {
  await using project = await createProject({ 'shop.test.md': spec, 'Plain.MD': spec })
  const problemOf = async (args: readonly string[], env = {}): Promise<string> => {
    const { exitCode, stdout, stderr } = await project.mdtest(['run', '--agent', 'browser', ...args], { env })
    expect([exitCode, stdout]).toEqual([2, ''])
    return stderr.trimEnd()
  }
  const key = { OPENAI_API_KEY: 'sk-test-1234' }
  expect(await problemOf([], key)).toBe(
    'mdtest: Browser specs need the address of the web application. Give it with `--base-url`, with `base-url` in the front matter or with the option `baseUrl`.',
  )
  expect(await problemOf(['--base-url', 'shop.example.com'], key)).toContain(
    '`--base-url` takes an address that begins',
  )
  if (process.platform === 'linux') expect(await problemOf([...address, '--headed'], key)).toContain('no display')
  expect(await problemOf(address)).toBe(`mdtest: The provider \`openai\` ${noKey}`)
  expect(await problemOf(address, { MDTEST_PROVIDER: 'acme' })).toContain('Unknown provider `acme`. Known are openai,')
  expect(await problemOf([...address, '--provider', 'azure'], { MDTEST_PROVIDER: 'acme' })).toContain(
    'The provider `azure` needs the variable `AZURE_OPENAI_RESOURCE_NAME`',
  )
})

test('under Vitest the same blocks the step, and a model that lets nobody in is asked once by each scenario', async () => {
  await using project = await createProject({ 'vitest.config.js': config, 'a.test.md': spec, 'b.test.md': spec })
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.url} ${request.headers.authorization}`)
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: 'Incorrect API key provided: sk-of-the-file.' } }))
  })
  await using model = await listen(server)
  const noAddress = await project.vitest(['run', '--reporter=json', 'a.test.md'])
  expect(readJsonReport(noAddress.stdout)['a.test.md']).toMatchObject([
    { outcome: 'blocked', messages: [expect.stringContaining('Browser specs need the address')] },
  ])
  await project.write('vitest.config.js', config.replace("'browser' }", "'browser', baseUrl: 'http://127.0.0.1:9/' }"))
  await project.write('.env', `OPENAI_API_KEY=sk-of-the-file\nOPENAI_BASE_URL=${model.url}/v1\n`)
  const refused = await project.vitest(['run', '--reporter=json'])
  const blocked = { outcome: 'blocked', messages: [expect.stringContaining('The agent `browser` has no access')] }
  expect(readJsonReport(refused.stdout)).toMatchObject({ 'a.test.md': [blocked], 'b.test.md': [blocked] })
  expect(requests).toEqual(Array(2).fill('/v1/responses Bearer sk-of-the-file'))
  expect(refused.all + refused.stdout).not.toContain('sk-of-the-file')
})
