import { describe, expect, test } from 'vitest'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { claude, codex, createRealProject, skipReason } from './real-project.ts'

const program = `if (process.argv[2] === 'done') console.log('done 1: milk')
else console.log('1 [ ] milk')
`
const spec = `# Tick off a note

Run \`node notes.mjs done 1\`. It prints "done 1: milk".

- [ ] It prints "done 1: milk"

\`\`\`console verify
$ node notes.mjs list
1 [x] milk
\`\`\`
`

describe.skipIf(skipReason !== '').each([claude, codex])(
  `mdtest show after $title${skipReason}`,
  ({ agent, ...more }) => {
    test('prints the verdict, the report with its evidence, the calls and what was used', async () => {
      const options = { agent, allow: ['Bash(node *)'] }
      await using real = await createRealProject({
        ...more,
        script: reportSpec,
        options,
        files: { 'notes.mjs': program, 'notes.test.md': spec },
      })
      expect((await real.project.mdtest(['run'], { env: real.env })).exitCode).toBe(1)
      const { exitCode, stdout } = await real.project.mdtest(['show', 'notes.test.md'], { env: real.env })
      expect(stdout).toMatch(/^notes\.test\.md > Tick off a note \d{4}-/)
      expect(stdout).toMatch(/\n {2}outcome fail\n {2}used .* tokens in, .* out/)
      expect(stdout).toMatch(
        /\n {2}1-tick-off-a-note fail in .* s, agent, reported pass\n {4}VERIFY_FAILED `node notes\.mjs list`: .*\n {6}- 1 \[x\] milk\n {6}\+ 1 \[ \] milk\n/,
      )
      expect(stdout).toMatch(/\n {4}check 1 pass\n/)
      expect(stdout).toMatch(/cites: “done 1: milk”\n/)
      expect(stdout).toMatch(/\n {4}\d\d:\d\d:\d\d command node notes\.mjs done 1.*\n {6}\| done 1: milk\n/)
      expect(exitCode).toBe(0)
    })
  },
)
