import { cpSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { lane } from '../support/lane.ts'

const { 'vitest-mdtest': ours = '', vitest = '' } = lane.packages
const installed = dirname(vitest)

describe('a package that only browser specs need', () => {
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

/** All packages of the repository but those that browser specs alone need, and mdtest itself as a copy: a link would find them. */
function installWithoutPeers(folder: string): void {
  for (const name of readdirSync(installed)) {
    if (!/^(?:\..*|ai|@ai-sdk|@playwright|playwright.*|vitest-mdtest)$/.test(name))
      symlinkSync(join(installed, name), join(folder, name))
  }
  cpSync(ours, join(folder, 'vitest-mdtest'), { recursive: true })
}
