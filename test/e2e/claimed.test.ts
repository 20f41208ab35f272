import { describe, expect, test } from 'vitest'
import { createProject } from '../support/create-project.ts'
import { lane } from '../support/lane.ts'

const files = {
  'vitest.config.js': `import { mdtest } from 'vitest-mdtest'
export default { plugins: [mdtest({ agent: { command: [process.execPath, 'agent.mjs', '{log}'] } })] }
`,
  'agent.mjs': `import { writeFileSync } from 'node:fs'
writeFileSync(process.argv[2], process.argv[2].includes('bad') ? '---\\nstatus: fail\\n---\\nNo.\\n' : '---\\nstatus: pass\\n---\\n')
`,
  'word.test.md': '# Word\n\nLook around.\n',
  'proof.test.md': '# Proof\n\nLook around.\n\n```sh verify\ntrue\n```\n',
  'code.test.md': '---\nagent: none\n---\n\n# Code\n\n```sh\ntrue\n```\n',
}
const sign = '? claimed'

describe('a pass on the word of the agent alone', () => {
  test.each(['verbose', 'tree'])('has a sign of its own in %s, and other passes have none', async (reporter) => {
    await using project = await createProject(files, lane)
    const { all } = await project.vitest(['run', `--reporter=${reporter}`])
    const lines = all.split('\n')
    expect(lines.filter((line) => line.includes(sign)).map((line) => /Word|Proof|Code/.exec(line)?.[0])).toEqual([
      'Word',
    ])
    expect(all).toContain('steps: 3 passed: 2 verified, 1 claimed')
    expect(all).toContain("claimed: 1 step passed on the agent's word alone.")
    // An agent that did not say what it used has not used nothing.
    expect(all).toContain('usage unknown')
    expect(all).not.toMatch(/\b0 tokens/)
  })

  test('is one word in JUnit, its text apart; passes of code have one, too', async () => {
    await using project = await createProject(files, lane)
    const { stdout } = await project.vitest(['run', '--reporter=junit'])
    const values = [...stdout.matchAll(/name="mdtest:(assurance|claimed)" value="([^"]*)"/g)].map(
      ([, , value]) => value,
    )
    expect(values.toSorted()).toEqual([
      'claimed',
      'the agent says so and nothing else backs it',
      'verified',
      'verified',
    ])
    expect(stdout).toContain('value="usage unknown')
    const json = await project.vitest(['run', '--reporter=json'])
    // Neither there nor anywhere else is what nobody knows a number.
    expect(json.stdout).toContain('"usage":{"durationMs":')
    expect(json.stdout).not.toContain('inputTokens')
  })

  test('has its own sign in the summary of a job and in `mdtest show`', async () => {
    await using project = await createProject(files, lane)
    await project.vitest(['run'], { env: { GITHUB_STEP_SUMMARY: project.path('summary.md') } })
    const summary = await project.read('summary.md')
    expect(summary).toContain('2 passed, 1 claimed')
    expect(summary).toMatch(/word.*❔ claimed/)
    const { all } = await project.mdtest(['show', 'word.test.md'])
    expect(all).toContain(sign)
    expect(all).toContain('usage unknown')
  })

  test('a failure has below it what its message does not say, and no more', async () => {
    await using project = await createProject({ ...files, 'bad.test.md': '# Bad\n\nLook around.\n' }, lane)
    const { all } = await project.vitest(['run', 'bad', '--reporter=default'])
    const [, below = ''] = /❯ bad\.test\.md:1:1[^]*?\n\n([^]*?)⎯⎯/.exec(all) ?? []
    expect(all).toContain('Log: bad.logs/')
    expect(below.trim().split('\n').length, all).toBeLessThanOrEqual(3)
    expect(all).not.toMatch(/mdtest:(outcome|reason|log)/)
  })
})
