import { cpSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createProject, type Finished } from '../support/create-project.ts'
import { lane } from '../support/lane.ts'

const spec = '# Shop\n\nOpen the shop.\n'
const key = { OPENAI_API_KEY: 'sk-never-used' }
const address = ['--base-url', 'http://127.0.0.1:9']

/** Nothing is started, so no browser is needed and no model asked. */
const faults: readonly {
  readonly title: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly said: RegExp
}[] = [
  { title: 'no key', args: address, env: {}, said: /needs the variable `OPENAI_API_KEY`.*\.env/s },
  {
    title: 'no key of another provider',
    args: [...address, '--provider', 'google'],
    env: key,
    said: /`GOOGLE_API_KEY`/,
  },
  {
    title: 'no resource of Azure',
    args: [...address, '--provider', 'azure'],
    env: { AZURE_OPENAI_API_KEY: 'x' },
    said: /`AZURE_OPENAI_RESOURCE_NAME`/,
  },
  {
    title: 'an unknown provider',
    args: address,
    env: { ...key, MDTEST_PROVIDER: 'acme' },
    said: /`acme`.*openai, anthropic/s,
  },
  { title: 'no address', args: [], env: key, said: /address of the web application.*--base-url/s },
  { title: 'an invalid address', args: ['--base-url', 'shop'], env: key, said: /--base-url.*`?shop/s },
]

describe('what a browser spec lacks', () => {
  test('is said in one sentence, with exit code 2, before anything starts', async () => {
    await using project = await createProject({ 'shop.test.md': spec })
    const runs = await Promise.all(
      faults.map(({ args, env }) => project.mdtest(['run', '--agent', 'browser', ...args], { env })),
    )
    for (const [index, { title, said }] of faults.entries()) expectRefusal(runs[index], { title, said })
  })

  test('can be a package, which is named with the command that installs it', async () => {
    await using project = await createProject({ 'shop.test.md': spec }, { ...lane, packages: {} })
    installWithoutPeers(project.path('node_modules'))
    const run = await project.mdtest(['run', '--agent', 'browser', ...address], { env: key })
    expectRefusal(run, { title: 'no package', said: /npm i(?:nstall)? -D .*@ai-sdk\/openai/ })
  })
})

/** All packages of the repository but those that browser specs alone need, and mdtest itself as a copy: a link would find them. */
function installWithoutPeers(folder: string): void {
  const { 'vitest-mdtest': ours = '', vitest = '' } = lane.packages
  const all = dirname(vitest)
  for (const name of readdirSync(all)) {
    if (!/^(?:\..*|ai|@ai-sdk|@playwright|playwright.*|vitest-mdtest)$/.test(name))
      symlinkSync(join(all, name), join(folder, name))
  }
  cpSync(ours, join(folder, 'vitest-mdtest'), { recursive: true })
}

function expectRefusal(
  run: Finished | undefined,
  { title, said }: { readonly title: string; readonly said: RegExp },
): void {
  expect.soft(run?.exitCode, `${title}: ${run?.all}`).toBe(2)
  expect.soft(run?.stderr, title).toMatch(said)
  expect.soft(run?.stderr.trim().split('\n').length, `${title}: ${run?.stderr}`).toBeLessThanOrEqual(2)
  expect.soft(run?.all, title).not.toContain('sk-never-used')
}
