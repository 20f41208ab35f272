import { describe, expect, test } from 'vitest'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { brokenProgram, rightProgram } from './notes-project.ts'
import { acpAgents, claude, codex, codexCodeMode, createRealProject, skipReason } from './real-project.ts'

const spec = `---
cwd: copy
allow: ['Bash(node notes.mjs *)']
---

# Notes

## Add a note

Run \`node notes.mjs add milk\`. It prints "added milk".

## List the notes

Run \`node notes.mjs list\`. It prints "milk".
`

const files = { 'notes.mjs': rightProgram, 'notes.test.md': spec }

/** Without the line with key, agent and day. */
function blocksOf(recording: string): string {
  return recording.replace(/ key=\w+ by="[^"]*" on=[\d-]+ /g, ' … ')
}

const recorded = `---
recording-of: "notes.test.md"
---

# Notes

## Add a note

<!-- mdtest: … -->

\`\`\`console
$ node notes.mjs add milk
added milk
\`\`\`

## List the notes

<!-- mdtest: … -->

\`\`\`console
$ node notes.mjs list
milk
\`\`\`
`

describe.skipIf(skipReason !== '').each([claude, codex, codexCodeMode, ...acpAgents])(
  `what $title did${skipReason}`,
  ({ agent, title: _title, ...more }) => {
    test('is recorded, and the next run needs no model', async () => {
      await using real = await createRealProject({ ...more, script: reportSpec, options: { agent }, files })
      const { project, env, model } = real
      const reporters = ['--reporter=default', '--reporter=junit', '--output-file=report.xml']
      const made = await project.mdtest(['record', '--agent', agent, ...reporters], { env })
      expect(made.stdout).toContain('recorded: notes.recording.md')
      expect(made.exitCode).toBe(0)
      expect(made.stdout).toContain('steps: 2 recorded')
      expect((await project.read('report.xml')).match(/name="mdtest:source" value="[^"]*"/g)).toEqual([
        'name="mdtest:source" value="recorded"',
        'name="mdtest:source" value="recorded"',
      ])
      expect((await project.mdtest(['show'])).stdout.match(/^ {2}\d-.*/gm)).toEqual([
        expect.stringMatching(/^ {2}1-add-a-note pass evidenced in .*, recorded, reported pass$/),
        expect.stringMatching(/^ {2}2-list-the-notes pass evidenced in .*, recorded, reported pass$/),
      ])
      const text = await project.read('notes.recording.md')
      expect(blocksOf(text)).toBe(recorded)
      expect(text).toMatch(new RegExp(` by="${agent} \\d+\\.\\d+\\.\\d+[\\w.-]*" on=`))
      const asked = model.conversations.length
      expect(asked).toBeGreaterThan(0)

      const replayed = await project.mdtest(['run', '--agent', agent], { env })
      expect(replayed.stdout).toContain('2 reproduced\nsteps: 2 replayed\n')
      expect(replayed.exitCode).toBe(0)

      await project.write('notes.mjs', brokenProgram)
      const broken = await project.mdtest(['run', '--agent', agent, '--replay', 'only'], { env })
      expect(broken.all).toContain('REPLAY_DIFFERS')
      expect(broken.all).toContain('notes.recording.md:')
      expect(broken.exitCode).toBe(1)
      expect(model.conversations).toHaveLength(asked)
      expect(await real.leftovers()).toEqual([])
    })
  },
)
