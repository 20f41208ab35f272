import { describe, expect, test } from 'vitest'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { rightProgram } from './notes-project.ts'
import { ownRules } from './own-rules.ts'
import { acpAgents, claude, codex, codexCodeMode, createRealProject, skipReason } from './real-project.ts'

/** Steps of an included file, one for each row, blocks of ours, and checks. */
const specOf = (program: string): string => `---
cwd: copy
include: [./shared/start.md]
---

# Notes

## Add {{note}}

Run \`node ${program} add {{note}}\`. It prints "added <note>".

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

Run \`node ${program} list\`. It prints "bread".
`

const files = {
  'notes.test.md': specOf('notes.mjs'),
  'notes.mjs': rightProgram,
  'shared/start.md': '# Start\n\n## Have a program\n\nRun `node start.mjs`. It prints "one1".\n',
  'start.mjs': "console.log('one' + 1)\n",
}

/** A program that is wrong for one row. */
const wrong = {
  'other.test.md': specOf('wrong.mjs'),
  'wrong.mjs': rightProgram.replace("'added ' + note", "'added ' + (note === 'bread' ? 'milk' : note)"),
}
/** A command that no rule allows. */
const denied = { 'other.test.md': '# Denied\n\n## Ask\n\nRun `npm --version`. It prints "1".\n' }

/** What was done for the spec, as its recording has it. */
const recorded = [
  ['node start.mjs', 'one1'],
  ['node notes.mjs add milk', 'added milk'],
  ['node notes.mjs add bread', 'added bread'],
  ['node notes.mjs list', 'milk\nbread'],
]

const verdictsOfWrong = [
  ...['pass witnessed', 'pass verified', 'fail STEP_FAILED CHECK_FAILED', 'skipped PREDECESSOR_FAILED'],
]
const asks = acpAgents.map((agent) => ({
  ...agent,
  other: denied,
  verdicts: [expect.stringMatching(/^blocked AGENT_DENIED /)],
}))
const judged = [claude, codex, codexCodeMode].map((one) => ({ ...one, other: wrong, verdicts: verdictsOfWrong }))

describe.skipIf(skipReason !== '').concurrent(`each product, once whole${skipReason}`, () => {
  test.each([...judged, ...asks])('$title', async ({ other, verdicts, ...product }) => {
    const { agent } = product
    await using real = await createRealProject({
      product,
      options: { allow: ['Bash(node *)'], maxAgents: 2 },
      script: reportSpec,
      files: { ...files, ...other },
    })
    const { project, env, model } = real
    // What its user allowed is asked all the same.
    ownRules[agent]?.(env.HOME ?? '', project.dir)

    const args = ['record', '--reporter=default', '--reporter=json', '--output-file=run.json']
    const made = await real.mdtest(args)
    const report = await project.read('run.json')
    expect([verdictsOf(report, 'notes.test.md'), verdictsOf(report, 'other.test.md')], made.all).toEqual([
      ['pass witnessed', 'pass verified', 'pass verified', 'pass witnessed'],
      verdicts,
    ])
    expect(made.exitCode).toBe(1)
    if (other === denied)
      expect(readJsonReport(report)['other.test.md']?.[0]?.messages?.[0]).toContain('`allow: ["Bash(npm *)"]`')
    const usage = readJsonReport(report)['notes.test.md']?.at(-1)?.usage
    expect(usage?.inputTokens).toBeGreaterThan(100)
    expect(usage?.costUsd !== undefined).toBe(agent === 'claude' || agent === 'opencode')

    const text = await project.read('notes.recording.md')
    for (const [command, output] of recorded) expect(text).toContain(`$ ${command}\n${output}\n`)
    expect(text).toMatch(new RegExp(` by="${agent}(?: \\d+\\.\\d+\\.\\d+[\\w.-]*)?" on=`))
    const asked = model.conversations.length
    const replayed = await real.mdtest(['run', 'notes.test.md', '--replay', 'only'])
    expect(replayed.stdout).toContain('steps: 4 replayed')
    expect(replayed.exitCode, replayed.all).toBe(0)
    expect(model.conversations).toHaveLength(asked)
    expect(model.strays).toEqual([])
    expect(await real.leftovers()).toEqual([])
  })
})
