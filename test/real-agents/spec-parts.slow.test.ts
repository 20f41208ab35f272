import { describe, expect, test } from 'vitest'
import { verdictsOf } from '../support/json-report.ts'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { rightProgram } from './notes-project.ts'
import { claude, codex, createRealProject, skipReason } from './real-project.ts'

const spec = `---
include: [./shared/start.md]
---

# Notes

## Add {{note}}

Run \`node notes.mjs add {{note}}\`. It prints "added <note>".

- [ ] It does not print "{{other}}"

\`\`\`sh verify
grep -c '"{{note}}"' notes.json
\`\`\`

### Examples

| note  | other |
| ----- | ----- |
| milk  | eggs  |
| bread | milk  |

## List the notes

Run \`node notes.mjs list\`. It prints "bread".
`
const start = `# Start

## Have a program

Run \`node -p "'one' + 1"\`. It prints "one1".
`

describe.skipIf(skipReason !== '').each([claude, codex])(`$title${skipReason}`, (agent) => {
  const setup = (program: string): Parameters<typeof createRealProject>[0] => ({
    ...('codexModel' in agent && { codexModel: agent.codexModel }),
    options: { agent: agent.agent, allow: ['Bash(node *)'] },
    script: reportSpec,
    files: { 'notes.test.md': spec, 'shared/start.md': start, 'notes.mjs': program },
  })

  test('carries out the steps of an included file and one for each row', async () => {
    await using real = await createRealProject(setup(rightProgram))
    const { exitCode, stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    expect(verdictsOf(stdout, 'notes.test.md')).toEqual([
      'pass evidenced',
      'pass verified',
      'pass verified',
      'pass evidenced',
    ])
    expect(exitCode).toBe(0)
  })

  test('fails the row for which the program is wrong', async () => {
    const program = rightProgram.replace("'added ' + note", "'added ' + (note === 'bread' ? 'milk' : note)")
    await using real = await createRealProject(setup(program))
    const { stdout } = await real.project.vitest(['run', '--reporter=json'], { env: real.env })
    expect(verdictsOf(stdout, 'notes.test.md')).toEqual([
      'pass evidenced',
      'pass verified',
      'fail STEP_FAILED CHECK_FAILED',
      'skipped PREDECESSOR_FAILED',
    ])
    expect(await real.leftovers()).toEqual([])
  })
})
