import { expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'

const files = {
  'vitest.config.js': `import { mdtest } from 'vitest-mdtest'
const agent = import.meta.dirname + '/agent.mjs'
export default { plugins: [mdtest({ agent: { command: [${JSON.stringify(process.execPath)}, agent, '{log}'] }, recordings: true })] }
`,
  'agent.mjs': `import { appendFileSync, writeFileSync } from 'node:fs'
appendFileSync('started', 'x')
writeFileSync(process.argv[2], '---\\nstatus: pass\\n---\\n')
`,
  'shop.test.md': '# Shop\n\n## Fill\n\nPut tea into the cart.\n\n## Pay\n\nPay.\n',
}

test('no agent works on a part of a scenario for a recording, and a line stands for all of it', async () => {
  await using project = await createProject(files)
  const part = await project.mdtest(['record', '-t', 'Fill'])
  expect(part.exitCode, part.all).toBe(1)
  expect(part.all).toContain('NOT_ELIGIBLE: Only a part of the scenario was asked for')
  expect(part.all).toContain('`npx vitest-mdtest record shop.test.md:1`')
  expect(await project.read('started').catch(() => 'no')).toBe('no')
  const ofLine = await project.mdtest(['record', 'shop.test.md:3'])
  expect(ofLine.all).toMatch(/Tests +2 passed/)
  expect(ofLine.all).toContain('NEEDS_THE_MODEL')
  expect(await project.read('started')).toBe('x')
  // A run of tests is nobody's wish to record: its agent works.
  const tests = await project.vitest(['run', '-t', 'Fill'])
  expect(tests.exitCode, tests.all).toBe(0)
  expect(tests.stdout).toMatch(
    /not recorded: shop\.test\.md:1 "Shop": NOT_ELIGIBLE: Only a part .*`npx vitest-mdtest record/,
  )
  expect(await project.read('started')).toBe('xx')
})
