import { expect, test } from 'vitest'
import { filesWith } from '../support/files-with.ts'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { rightProgram } from './notes-project.ts'
import { claude, createRealProject, skipReason } from './real-project.ts'

const spec = `---
hands: { sandbox: off }
min-assurance: witnessed
allow: ['Bash(node notes.mjs *)']
---

# Notes

## Add a note

Run \`node notes.mjs add milk\`. It prints "added milk".
`

test.skipIf(skipReason !== '')(`a pass that mdtest executed says so everywhere${skipReason}`, async () => {
  const { agent, title: _title, ...more } = claude
  const given = { 'notes.mjs': rightProgram, 'notes.test.md': spec }
  await using real = await createRealProject({ ...more, script: reportSpec, options: { agent }, files: given })
  const { project, env } = real
  const run = await project.mdtest(
    ['run', '--report', '--reporter=default', '--reporter=junit', '--output-file=r.xml'],
    {
      env,
    },
  )
  const word = 'mdtest, no sandbox: `hands.sandbox` is `off`'
  expect(run.stdout).toContain(`steps: 1 passed: 1 witnessed\nhands: 1 step by ${word}\n`)
  expect(run.exitCode).toBe(0)
  expect(await project.read('r.xml')).toContain(`<property name="mdtest:hands" value="${word}">`)
  expect((await project.mdtest(['show'])).stdout).toMatch(
    /^ {2}1-add-a-note pass witnessed in .*, agent, hands mdtest, no/m,
  )
  const logs = filesWith('^hands: mdtest$', project.path('notes.logs'))
  expect(logs).toEqual([expect.stringMatching(/\.log\.md$/)])
  expect(filesWith('^sandbox: none$', project.path('notes.logs'))).toEqual(logs)
  expect(filesWith('hands mdtest, no sandbox', project.path('mdtest-report'))).not.toEqual([])
})
