import { describe, expect, test } from 'vitest'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { claude, codex, codexCodeMode, createRealProject, skipReason } from './real-project.ts'

/** Appends its argument to `trace`, and prints it. */
const tracer = `import { appendFileSync } from 'node:fs'
appendFileSync('trace', process.argv[2] + '\\n')
console.log('traced ' + process.argv[2])
`
const traceBlock = (role: string, text: string): string => `\`\`\`sh ${role}\necho ${text} >> trace\n\`\`\`\n`
const prose = (text: string): string => `Run \`node trace.mjs ${text}\`. It prints "traced ${text}".\n`

const interleaved = `# Order

## First

${traceBlock('run', 'before-1')}
${prose('agent-1')}
${traceBlock('verify', 'after-1')}
## Between

${traceBlock('run', 'between')}
## Second

${traceBlock('run', 'before-2')}
${prose('agent-2')}
${traceBlock('verify', 'after-2')}`

describe.skipIf(skipReason !== '').each([claude, codex, codexCodeMode])(`$title${skipReason}`, (dialect) => {
  const { agent, title: _title, ...more } = dialect
  const options = { agent, allow: ['Bash(node *)'] }

  test('reports while it works: blocks and prose run in the order of the spec', async () => {
    await using real = await createRealProject({
      ...more,
      options,
      script: reportSpec,
      files: { 'order.test.md': interleaved, 'trace.mjs': tracer },
    })
    const { exitCode, stdout, all } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    expect(verdictsOf(stdout, 'order.test.md'), all).toEqual(['pass verified', 'pass verified', 'pass verified'])
    expect(exitCode).toBe(0)
    expect((await real.project.read('trace')).trim().split('\n')).toEqual(
      'before-1 agent-1 after-1 between before-2 agent-2 after-2'.split(' '),
    )
    const log = readJsonReport(stdout)['order.test.md']?.[0]?.log ?? ''
    expect(await real.project.read(log)).toContain('All steps are done.')
    expect(real.model.strays).toEqual([])
    expect(await real.leftovers()).toEqual([])
  })
})
