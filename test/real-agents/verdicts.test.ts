import { describe, expect, test } from 'vitest'
import { readJsonReport, verdictsOf } from '../support/json-report.ts'
import { carryOutSpec } from '../support/scripts/carry-out-spec.ts'
import { bySpec, runsFirst, writesLog, writesNoLog } from '../support/scripts/wayward.ts'
import { rightProgram, spec } from './notes-project.ts'
import { claude, codex, codexCodeMode, createRealProject, sampleOf, skipReasonOf } from './real-project.ts'

const shop = '# Shop\n\n## Add a mug\n\nPut a mug into the cart.\n\n## Pay\n\nPay for it.\n'
const wrongSecond = spec.replace('prints "milk"', 'prints "bread"')
const tries = `node -p "'tried'"`
const twoScenarios = `# First\n\nRun \`node -p "'one'"\`. It prints "one".\n\n# Second\n\nRun \`node -p "'two'"\`. It prints "three".\n`
const ownSteps = (statuses: readonly string[]) =>
  writesLog(({ runId, steps }) =>
    [
      `status: ${statuses.every((status) => status === 'pass') ? 'pass' : 'fail'}`,
      `run: "${runId}"`,
      'steps:',
      ...steps.map(({ id }, index) => `  - { id: ${id}, status: ${statuses[index]}, observed: "seen ${index + 1}" }`),
    ].join('\n'),
  )

/** What a model does with a spec, and the verdicts on its steps. */
const cases = {
  'no-log.test.md': {
    text: shop,
    script: writesNoLog,
    verdicts: ['fail LOG_MISSING', 'skipped PREDECESSOR_FAILED'],
  },
  'bare-pass.test.md': {
    text: shop,
    script: runsFirst(
      tries,
      writesLog(() => 'status: pass'),
    ),
    verdicts: ['pass observed', 'pass observed'],
  },
  'idle-pass.test.md': {
    text: shop,
    script: writesLog(() => 'status: pass'),
    verdicts: ['fail NO_ACTIVITY', 'skipped PREDECESSOR_FAILED'],
  },
  'false-evidence.test.md': {
    text: shop,
    script: runsFirst(
      tries,
      writesLog(
        ({ steps }) =>
          `status: pass\nsteps:\n${steps.map(({ id }) => `  - { id: ${id}, status: pass, evidence: [shot.png] }`).join('\n')}`,
      ),
    ),
    verdicts: ['fail EVIDENCE_UNKNOWN', 'skipped PREDECESSOR_FAILED'],
  },
  'second-blocked.test.md': {
    text: shop,
    script: runsFirst(tries, ownSteps(['pass', 'blocked'])),
    verdicts: ['pass observed', 'blocked AGENT_BLOCKED'],
  },
  'one-check-of-two.test.md': {
    text: wrongSecond,
    script: carryOutSpec,
    verdicts: ['pass evidenced', 'fail STEP_FAILED CHECK_FAILED'],
  },
  'two-scenarios.test.md': {
    text: twoScenarios,
    script: carryOutSpec,
    verdicts: ['pass observed', 'fail STEP_FAILED'],
  },
  'edits-spec.test.md': {
    text: shop,
    script: runsFirst('echo >> edits-spec.test.md', ownSteps(['pass', 'pass'])),
    verdicts: ['fail SPEC_MODIFIED', 'skipped PREDECESSOR_FAILED'],
  },
  'liar.test.md': {
    text: `${shop}\n\`\`\`sh verify\ntest -e paid\n\`\`\`\n`,
    script: runsFirst(tries, ownSteps(['pass', 'pass'])),
    verdicts: ['pass observed', 'fail VERIFY_FAILED'],
  },
}
type Name = keyof typeof cases
const names = Object.keys(cases) as Name[] // the keys of an object literal are those of its type

const products = sampleOf([claude, codex, codexCodeMode] as const)
const reason = skipReasonOf(...products.map(({ agent }) => agent))

describe.skipIf(reason !== '').each(products)(`$title${reason}`, (product) => {
  test('gets a verdict on what it leaves behind', async () => {
    const pick = <T>(of: (name: Name) => T): Record<string, T> =>
      Object.fromEntries(names.map((name) => [name, of(name)]))
    await using real = await createRealProject({
      product,
      options: { executor: 'agent', minAssurance: 'observed', allow: ['Bash(node *)', 'Bash(echo *)'] },
      script: bySpec(pick((name) => cases[name].script)),
      files: { 'notes.mjs': rightProgram, ...pick((name) => cases[name].text) },
    })
    const { exitCode, stdout } = await real.vitest(['run', '--reporter=json'])
    expect(pick((name) => verdictsOf(stdout, name))).toEqual(pick((name) => cases[name].verdicts))
    expect(exitCode).toBe(1)
    const report = readJsonReport(stdout)
    expect(report['second-blocked.test.md']?.[1]?.messages?.[0]).toContain('seen 2')
    expect(report['one-check-of-two.test.md']?.[1]?.messages?.[1]).toContain('Check 1')
    const logs = report['two-scenarios.test.md']?.map(({ log }) => log) ?? []
    expect(new Set(logs).size).toBe(2)
    expect(logs[0]).toMatch(/^two-scenarios\.logs\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.log\.md$/)
    expect(real.model.strays).toEqual([])
    expect(await real.leftovers()).toEqual([])
  })
})
