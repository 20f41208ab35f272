import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { buildPrompt } from '../../src/agents/prompt.ts'
import type { PromptParts } from '../../src/agents/prompt.ts'
import { resultLogSchema } from '../../src/records/result-log/parse-result-log.ts'

const small: PromptParts = {
  specFile: '/project/notes.test.md',
  logFile: '/project/notes.logs/2026-02-10T14-30-00Z.log.md',
  runId: '7f3c9a',
  steps: [{ id: '1-add-a-note', title: 'Add a note', checks: 0 }],
  includedFiles: [],
  otherSteps: [],
  ...{ hasSetupProse: false, hasTeardownProse: false },
}
const large: PromptParts = {
  ...small,
  scenarioTitle: 'Notes',
  steps: [
    { id: '1-add-a-note', title: 'Add a note', checks: 1 },
    { id: '3-list', title: 'List: all of them', checks: 2 },
    { id: '4-remove', title: 'Remove', checks: 0 },
  ],
  otherSteps: [{ id: '2-count', title: 'Count' }],
  ...{ hasSetupProse: true, hasTeardownProse: true },
}

describe('buildPrompt', () => {
  test('of one step', () => {
    expect(buildPrompt(small)).toMatchSnapshot()
  })

  test('of a scenario with everything', () => {
    expect(buildPrompt(large)).toMatchSnapshot()
  })

  test('of an agent that reports', () => {
    expect(
      buildPrompt({ ...small, reports: { evidenceDir: '/project/notes.logs/2026-02-10T14-30-00Z' } }),
    ).toMatchSnapshot()
  })

  test('names the section and the values of each row of a table', () => {
    const values = { count: '2', 'the "color"': '' }
    const row = { id: '1-2', title: '2, ""', example: { title: 'Add <count> mugs', values } }
    const prompt = buildPrompt({ ...small, steps: [{ ...row, checks: 1 }], otherSteps: [{ ...row, id: '2-2' }] })
    expect(/^Steps, in this order:[^]*?(?=\n\n)/m.exec(prompt)?.[0]).toMatchInlineSnapshot(`
      "Steps, in this order:
      - 1-2: Add <count> mugs, with count = "2", the "color" = "" (1 check)
      Leave out and do not report:
      - 2-2: Add <count> mugs, with count = "2", the "color" = ""
      A step "with" values is its section once, with the values in place of \`{{name}}\` and \`<name>\`; its table \`Examples\` is the list of these steps."
    `)
  })

  test('names the lines of a section that is not all in one place', () => {
    const own = { file: small.specFile, kind: 'scenario' } as const // a literal kind
    const parts = [
      { ...own, line: 6, endLine: 7 },
      { ...own, line: 38, endLine: 38 },
    ]
    expect(buildPrompt({ ...large, parts })).toContain('\nExecute only its section "Notes" (lines 6-7, 38).\n')
  })

  test('names included files and where their parts belong', () => {
    const includedFiles = ['/project/shared/server.md', '/project/shared/login.md']
    const prompt = buildPrompt({ ...small, includedFiles, hasSetupProse: true, hasTeardownProse: true })
    expect(/^Specification:[^]*?(?=\n\nRules)/m.exec(prompt)?.[0]).toMatchInlineSnapshot(`
      "Specification: /project/notes.test.md
      Included: /project/shared/server.md
      Included: /project/shared/login.md
      Result log: /project/notes.logs/2026-02-10T14-30-00Z.log.md
      Run id: 7f3c9a

      The included files are part of the specification: read them, too. In the order above, their steps and setup sections come first, their teardown sections last.
      Before the steps, carry out the prose of all setup sections.
      Steps, in this order:
      - 1-add-a-note: Add a note
      After the steps, whatever came of them, carry out the prose of all teardown sections."
    `)
  })

  test.each([
    ['small', small],
    ['large', large],
    ['with a run id that looks like a number', { ...small, runId: '12e3' }],
  ])('gives examples that the result log accepts: %s', (_, parts) => {
    const examples = [...buildPrompt(parts).matchAll(/^---\n([\s\S]*?)\n---$/gm)].map(([, yaml]) => yaml ?? '')
    expect(examples).toHaveLength(2)
    for (const example of examples) expect(resultLogSchema.safeParse(parse(example)).success).toBe(true)
    expect(parse(examples[0] ?? '')).toMatchObject({
      run: parts.runId,
      steps: parts.steps.slice(0, 2).map(({ id }) => ({ id })),
    })
  })

  test('stays short', () => {
    expect(buildPrompt(large).length).toBeLessThan(2_500)
    expect(buildPrompt({ ...large, reports: { evidenceDir: '/e' } }).length).toBeLessThan(3_100)
  })

  test('does not begin with a dash or a slash, which a CLI could take for something else', () => {
    expect(buildPrompt(small)).toMatch(/^[A-Z]/)
  })
})
