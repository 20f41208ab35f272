import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { readTestFiles } from '../support/json-report.ts'
import { carryOutClauses } from '../support/scripts/carry-out-clauses.ts'
import { claude, codex, createRealProject, sampleOf, skipReason, type RealProject } from './real-project.ts'

const example = new URL('../../examples/openspec/', import.meta.url)
const cart = 'openspec/specs/cart/spec.md'
const prices = 'openspec/specs/prices/spec.md'
const change = 'openspec/changes/add-discounts/specs'
const names = [
  'cart.mjs',
  'openspec/mdtest.context.md',
  cart,
  prices,
  `${change}/discounts/spec.md`,
  `${change}/prices/spec.md`,
]
const files = Object.fromEntries(
  await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, example), 'utf8')] as const)),
)

type Edit = readonly [from: string, to: string]

/** The program with this edit, which has to find its place. */
function edited([from, to]: Edit): string {
  const { 'cart.mjs': program = '' } = files
  expect(program).toContain(from)
  return program.replace(from, to)
}

/** By name of the scenario: outcome, assurance, and each code with the text of its line; of what passes as `all` nothing. */
function outcomesIn(stdout: string, all = 'pass witnessed'): Readonly<Record<string, readonly string[]>> {
  const outcomes = readTestFiles(stdout).flatMap(({ file, tests }) => {
    const text = (files[names.find((name) => file.endsWith(name)) ?? ''] ?? '').split('\n')
    return tests.map(({ name, outcome, assurance, codes, lines = [], expected }) => {
      const words = [expected ? 'failed as expected' : outcome, ...(assurance ? [assurance] : [])].join(' ')
      const failed = [...codes.map((code, index) => ({ code, line: lines[index] })), ...(expected ?? [])]
      const why = failed.map(({ code, line = 0 }) => `${code} ${text[line - 1] ?? ''}`)
      return [name, [words, ...why.filter((one) => !one.startsWith('STEP_FAILED'))]] as const // pairs
    })
  })
  return Object.fromEntries(outcomes.filter(([, [words]]) => words !== all))
}

/** One change of the program each, with all that is not `pass witnessed` then. */
const verified = { 'Add Items > Same item again': ['pass verified'] }
const bugs: readonly { bug: string; edit: Edit; outcomes: ReturnType<typeof outcomesIn> }[] = [
  {
    bug: 'equal items that are counted in words only',
    edit: ['known.count += 1', 'known.count += 0'],
    outcomes: {
      'Add Items > Same item again': [
        'fail',
        'CHECK_FAILED - **THEN** `cart list` prints `2 x mug 9.00`',
        'CHECK_FAILED - **AND** `cart list` does not print `1 x mug`',
      ],
    },
  },
  {
    bug: 'an item that is removed in words only',
    edit: ['save({ ...cart, items })', 'save(cart)'],
    outcomes: {
      ...verified,
      'Remove Items > Item in the cart': ['fail', 'CHECK_FAILED - **AND** `cart list` does not print `mug`'],
    },
  },
]

/** What a change wants that is not built. */
const missing = {
  'Discount > New discount': [
    'failed as expected',
    'CHECK_FAILED - **THEN** it prints `discount 10 %`',
    'CHECK_FAILED - **AND** the exit code is `0`',
  ],
  'Discount > Discount that is none': [
    'failed as expected',
    'CHECK_FAILED - **THEN** it prints `cart: "100" is no discount`',
  ],
  'Total > Total with a discount': ['failed as expected', 'CHECK_FAILED - **THEN** it prints `total 4.05`'],
}

describe.skipIf(skipReason !== '').concurrent.each(sampleOf([codex, claude]))(
  `examples/openspec with $title${skipReason}`,
  (product) => {
    const open = (program = files['cart.mjs'] ?? ''): Promise<RealProject> =>
      createRealProject({
        product,
        script: carryOutClauses,
        files: { ...files, 'cart.mjs': program, 'vitest.config.js': 'export default {}\n' },
      })
    const run = async (real: RealProject, ...args: readonly string[]): ReturnType<RealProject['mdtest']> =>
      await real.mdtest(['run', ...args, '--headless', '--agent', product.agent, '--reporter=json'])

    test('passes as it is, without a configuration, and its change fails as expected', async () => {
      await using real = await open()
      const { exitCode, stdout, stderr } = await run(real, 'openspec/specs', 'openspec/changes')
      expect(outcomesIn(stdout), stderr).toEqual({ ...verified, ...missing })
      expect(exitCode).toBe(0)
      expect(stderr).toContain('change add-discounts: 2 of 5 scenarios pass already; when all do, archive it')
      expect(await real.leftovers()).toEqual([])
    })

    test.each(sampleOf(bugs))('fails with $bug, at the right THEN', async ({ edit, outcomes }) => {
      await using real = await open(edited(edit))
      const { exitCode, stdout } = await run(real, cart)
      expect(outcomesIn(stdout)).toEqual(outcomes)
      expect(exitCode).toBe(1)
    })
  },
)
