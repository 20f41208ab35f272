import { cpSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { lane } from '../support/lane.ts'

const { 'vitest-mdtest': ours = '', vitest = '' } = lane.packages
const installed = dirname(vitest)

describe('a package that only some specs need', () => {
  test('that of agents that speak ACP is named where it is missing', async () => {
    await using project = await createProject({ 'shop.test.md': '# Shop\n\nOpen it.\n' }, { ...lane, packages: {} })
    installWithoutPeers(project.path('node_modules'))
    writeFileSync(project.path('opencode'), '#!/bin/sh\n', { mode: 0o755 })
    const env = { PATH: [project.dir, process.env.PATH].join(':') }
    const { exitCode, stdout, stderr } = await project.mdtest(['run', '--agent', 'opencode'], { env })
    expect(exitCode).not.toBe(0)
    expect(`${stdout}${stderr}`).toContain(
      'Agents that speak ACP need the package `@agentclientprotocol/sdk`, which is not installed. Install it with `npm install -D @agentclientprotocol/sdk@2.4.0`.',
    )
  })

  test('is named where it is missing, with the command that installs it', async () => {
    await using project = await createProject({ 'shop.test.md': '# Shop\n\nOpen it.\n' }, { ...lane, packages: {} })
    installWithoutPeers(project.path('node_modules'))
    const args = ['run', '--agent', 'browser', '--base-url', 'http://127.0.0.1:9']
    const [of6, of3] = process.versions.node.startsWith('20.') ? ['@6', '@3'] : ['', '']
    const said = async (): Promise<string> => {
      const { exitCode, stderr } = await project.mdtest(args, { env: { OPENAI_API_KEY: 'sk-never-used' } })
      expect(exitCode).toBe(2)
      return stderr.trim()
    }
    expect(await said()).toBe(
      `mdtest: Browser specs need the package \`ai\`, which is not installed. Install it with \`npm install -D ai${of6}\`.`,
    )
    symlinkSync(join(installed, 'ai'), project.path('node_modules/ai'))
    expect(await said()).toContain(`\`npm install -D @ai-sdk/openai${of3}\``)
  })
})

/** All packages of the repository but those that only some specs need, and mdtest itself as a copy: a link would find them. */
function installWithoutPeers(folder: string): void {
  for (const name of readdirSync(installed)) {
    if (!/^(?:\..*|ai|@agentclientprotocol|@ai-sdk|@playwright|playwright.*|vitest-mdtest)$/.test(name))
      symlinkSync(join(installed, name), join(folder, name))
  }
  cpSync(ours, join(folder, 'vitest-mdtest'), { recursive: true })
}
