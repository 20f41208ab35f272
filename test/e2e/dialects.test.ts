import { expect, test } from 'vitest'
import { createProject, plainConfig } from '../support/create-project.ts'
import { recordByHand, transcript } from '../support/hand-recording.ts'
import { runJest } from '../support/jest-report.ts'
import { jest } from '../support/lane.ts'
import { hasTerminal, startWatch, watchFiles, type WatchRun } from '../support/watch-session.ts'

const features = "agent: 'claude', dialects: { gherkin: ['features/**/*.feature'] }"
const feature = `Feature: Cart

  Scenario: Add a mug
    When the visitor adds a mug
    Then the cart shows 1 mug

  Scenario: Empty it
    When the visitor empties the cart
    Then the cart is empty
`
const requirement = `# cart

## Purpose

A visitor collects what she wants to buy, and sees at any time what that is.

## Requirements

### Requirement: Count Mugs

The cart SHALL count mugs.

#### Scenario: One mug

- **WHEN** the visitor adds a mug
- **THEN** the cart shows 1 mug
`
const cart = transcript('$ cat cart.txt', '1 mug')
const spec = 'openspec/specs/cart/spec.md'

test('specs of other tools are replayed from recordings beside them, and coverage knows', async () => {
  await using project = await createProject({
    'cart.txt': '1 mug\n',
    'features/cart.feature': feature,
    'features/cart.recording.md': recordByHand(feature, {
      name: 'features/cart.feature',
      bodies: { 'Add a mug': cart, 'Empty it': cart },
    }),
    [spec]: requirement,
    'openspec/specs/cart/spec.recording.md': recordByHand(requirement, { name: spec, bodies: { 'One mug': cart } }),
  })
  const run = (): ReturnType<typeof project.mdtest> =>
    project.mdtest(['run', 'features', 'openspec/specs', '--replay=only', '--agent=claude'])
  const { all, exitCode } = await run()
  expect(all).toContain('3 passed: 3 reproduced')
  expect(exitCode).toBe(0)
  const covered = async (): Promise<string> => (await project.mdtest(['coverage'])).stdout
  expect(await covered()).toContain('2 requirements: 2 reproduced\ncovered: 2 of 2 (100 %)')

  await project.write('cart.txt', '2 mugs\n')
  expect((await run()).exitCode).toBe(1)
  expect(await covered()).toContain('2 requirements: 2 failed\n')
})

test.runIf(hasTerminal())('a watch runs a feature again that was changed', async () => {
  const config = plainConfig.replace('mdtest()', `mdtest({ ${features} })`)
  await using project = await createProject({
    ...watchFiles,
    'vitest.config.js': config,
    'features/cart.feature': feature,
  })
  await using watch = await startWatch(project)
  const titles = ({ tests }: WatchRun): readonly string[] =>
    Object.keys(tests).map((name) => name.split(' > ').at(-1) ?? '')
  expect(titles(watch.first)).toEqual(['Add a mug', 'Empty it'])
  const changed = feature.replace('Scenario: Empty it', 'Scenario: Clear it')
  const run = await watch.runAfter(() => project.write('features/cart.feature', changed))
  expect(titles(run)).toEqual(['Add a mug', 'Clear it'])
})

test.skipIf(jest.unavailable !== undefined)('Jest runs features, each scenario a test at its line', async () => {
  const config = `import { mdtest } from 'vitest-mdtest/jest'\nexport default mdtest({ ${features}, replay: 'only' })\n`
  await using project = await createProject(
    {
      'package.json': '{ "type": "module" }',
      'jest.config.js': config,
      'cart.txt': '1 mug\n',
      'features/cart.feature': feature,
      'features/cart.recording.md': recordByHand(feature, {
        name: 'features/cart.feature',
        bodies: { 'Add a mug': cart, 'Empty it': transcript('$ cat cart.txt', 'nothing') },
      }),
    },
    jest,
  )
  const { specs, all } = await runJest(project)
  const tests = specs['cart.feature']?.tests.map(({ name, status, line }) => [name, status, line])
  expect(tests, all).toEqual([
    ['Add a mug', 'passed', 3],
    ['Empty it', 'failed', 7],
  ])
  const { stdout } = await project.mdtest(['coverage'])
  expect(stdout).toContain('  failed Cart :1\n    reproduced Add a mug :3 ')
})
