import { cpSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { lane } from '../support/lane.ts'

describe('a package that only browser specs need', () => {
  test('is named where it is missing, with the command that installs it', async () => {
    await using project = await createProject({ 'shop.test.md': '# Shop\n\nOpen it.\n' }, { ...lane, packages: {} })
    installWithoutPeers(project.path('node_modules'))
    const args = ['run', '--agent', 'browser', '--base-url', 'http://127.0.0.1:9']
    const { exitCode, stderr } = await project.mdtest(args, { env: { OPENAI_API_KEY: 'sk-never-used' } })
    expect(stderr.trim()).toBe(
      'mdtest: Browser specs need the package `@ai-sdk/openai`, which is not installed. Install it with `npm install -D @ai-sdk/openai`.',
    )
    expect(exitCode).toBe(2)
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
