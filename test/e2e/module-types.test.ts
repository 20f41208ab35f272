import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'

const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

test('`vitest-mdtest/blocks` declares what blocks find in scope, for type checkers', async () => {
  await using project = await createProject({
    'good.ts': `const { stdout, exitCode } = await $\`echo \${1} \${['a', 'b']}\`
const text: string = await readFile('a.txt')
captures.set(dir, stdout + text)
expect(exitCode + (await $.nothrow\`false\`).exitCode).toBe(1)
export {}
`,
    'bad.ts': `captures.set('id', 5)
await $\`echo \${undefined}\`
expect(1).toBee(1)
export {}
`,
  })
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck']
  const check = (file: string) =>
    execa(process.execPath, [tsc, ...flags, '--types', 'vitest-mdtest/blocks', file], {
      cwd: project.dir,
      reject: false,
    })
  expect((await check('good.ts')).stdout).toBe('')
  expect((await check('bad.ts')).stdout.match(/bad\.ts\(\d+/g)).toEqual(['bad.ts(1', 'bad.ts(2', 'bad.ts(3'])
})
