import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { jest, lane, type Lane } from '../support/lane.ts'

test('mdtest init gives a CommonJS configuration what works there', async () => {
  await using project = await createProject({
    'package.json': '{}',
    'vitest.config.cjs': `const { defineConfig } = require('vitest/config')\nmodule.exports = defineConfig({})\n`,
  })
  expect((await project.mdtest(['init'])).stdout).toContain("+ const { mdtest } = require('vitest-mdtest')")
  expect((await project.vitest(['run', '--project', 'mdtest'])).exitCode).toBe(0)
})

describe('mdtest init in a project with Jest', () => {
  // What reads configurations is Vitest's, which npm installs along.
  const both: Lane = { ...jest, packages: { ...jest.packages, ...lane.packages } }
  const sum = `test('adds', () => expect(1 + 1).toBe(2))\n`

  test.for([
    ['a file', 'jest.config.js', `module.exports = {\n  testEnvironment: 'node',\n}\n`, '{}'],
    ['none, and ES modules', 'jest.config.js', undefined, '{ "type": "module", "devDependencies": { "jest": "*" } }'],
  ] as const)('%s: its tests and the specs run', async ([, name, config, manifest], { skip }) => {
    skip(jest.unavailable !== undefined, jest.unavailable)
    const files = { 'package.json': manifest, 'sum.test.js': sum, ...(config && { [name]: config }) }
    await using project = await createProject(files, both, 'plain')
    const { stdout, stderr } = await project.mdtest(['init'])
    expect([stderr, stdout]).toEqual(['', expect.stringContaining('Run the specs: npx jest --selectProjects mdtest')])
    expect(await readdir(project.dir)).not.toContain('vitest.config.mjs')
    const run = await project.jest([])
    expect([run.exitCode, run.stderr]).toEqual([0, expect.stringMatching(/Tests: +2 passed/)])
    expect((await project.mdtest(['init'])).stdout).toContain('Nothing to do')
  })
})
