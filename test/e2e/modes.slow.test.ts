import { execa } from 'execa'
import { expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { lane } from '../support/lane.ts'
import { passingSpec } from '../support/specs.ts'

const spec = (title: string): string => `## ${title}\n\n\`\`\`sh\necho ${title} >> trace\n\`\`\`\n\n`

test("specs run with the module runner that a flag chooses; `--repeats` is Vitest 5's", async () => {
  const text = `---\nagent: none\n---\n\n# Slow\n\n${spec('one')}${spec('two')}`
  await using project = await createProject({ 'vitest.config.js': plainConfig, 'slow.test.md': text })
  const repeats = lane.vitestMajor === 5 ? ['--repeats=1'] : []
  const { exitCode, all } = await project.vitest(['run', '--experimental.viteModuleRunner=false', ...repeats])
  expect(exitCode, all).toBe(0)
  // Each repetition of a step is a new run of its scenario.
  const repeated = ['one', 'one', 'two', 'one', 'two']
  expect((await project.read('trace')).trim().split('\n')).toEqual(repeats.length > 0 ? repeated : ['one', 'two'])
})

const imports = "import { mdtest } from 'vitest-mdtest'\n"
const plugin = '{ plugins: [mdtest()] }'
const configs: Readonly<Record<string, string>> = {
  'vitest.config.js': `${imports}export default ${plugin}\n`,
  'vitest.config.mjs': `${imports}export default ${plugin}\n`,
  'vitest.config.cjs': `const { mdtest } = require('vitest-mdtest')\nmodule.exports = ${plugin}\n`,
  'vitest.config.ts': `${imports}export default async () => (${plugin})\n`,
  'vitest.config.mts': `${imports}const config: object = ${plugin}\nexport default config\n`,
  'vitest.config.cts': `${imports}const config: object = ${plugin}\nexport default config\n`,
  'vite.config.ts': `${imports}export default ${plugin}\n`,
  'vitest.unit.config.ts': `${imports}export default ${plugin}\n`,
}

const listProjects = `import { createVitest } from 'vitest/node'
for (const config of process.argv.slice(2)) {
  const vitest = await createVitest('test', { watch: false, config })
  const found = await vitest.globTestSpecifications()
  const tests = found.map(({ project, moduleId }) => project.name + ':' + moduleId.split('/').pop())
  console.log(config, tests.toSorted().join(' '))
  await vitest.close()
}
`

test('a configuration may have each name and form that Vitest takes', async () => {
  await using project = await createProject({
    ...configs,
    'list-projects.mjs': listProjects,
    'slow.test.md': passingSpec,
    'own.test.js': "import { test } from 'vitest'\ntest('own', () => {})\n",
  })
  const { stdout, stderr } = await execa(lane.node, ['list-projects.mjs', ...Object.keys(configs)], {
    cwd: project.dir,
    reject: false,
  })
  const expected = Object.keys(configs).map((name) => `${name} :own.test.js mdtest:slow.test.md`)
  expect(stdout.split('\n'), stderr).toEqual(expected)
})
