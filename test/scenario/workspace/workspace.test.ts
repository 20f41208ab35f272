import { describe, expect, test } from 'vitest'
import { planBlocks } from '../../../src/scenario/plan-blocks.ts'
import { ScenarioUpdates } from '../../../src/scenario/scenario-updates.ts'
import { Workspace } from '../../../src/scenario/workspace/workspace.ts'
import type { Block } from '../../../src/spec/spec.ts'
import { useScenario } from '../use-scenario.ts'

const open = useScenario()

interface Opened {
  readonly workspace: Workspace
  /** Of all steps, in order. */
  readonly blocks: readonly Block[]
  readonly teardown: readonly Block[]
}

function openWorkspace(code: readonly string[], teardown: readonly string[] = []): Opened {
  const fences = (codes: readonly string[]): string => codes.map((one) => `\`\`\`sh\n${one}\n\`\`\`\n`).join('\n')
  const end = teardown.length === 0 ? '' : `\n## Teardown\n\n${fences(teardown)}`
  const { input, steps, launcher } = open(`---\nagent: none\ncwd: temp\n---\n# T\n\n## A\n\n${fences(code)}${end}`)
  const planned = planBlocks(input.scenario)
  const workspace = new Workspace({
    ...input,
    updates: new ScenarioUpdates(input),
    redact: (text) => text,
    afterFailure: 'stop',
    hasTeardown: teardown.length > 0,
    launcher: () => launcher,
  })
  return { workspace, blocks: steps.flatMap((step) => planned.of(step)), teardown: planned.teardown }
}

describe('the workspace of a scenario', () => {
  test.for<readonly [name: string, code: readonly string[], statuses: readonly string[]]>([
    ['has one shell for all blocks', ['word=kept', 'test "$word" = kept'], ['pass', 'pass']],
    ['runs nothing behind a failure', ['true', 'false', 'true'], ['pass', 'fail']],
    ['says that a block asks for a skip', ['exit 80', 'true'], ['skipped']],
  ])('%s', async ([, code, statuses]) => {
    const { workspace, blocks } = openWorkspace(code)
    expect((await workspace.runBlocks(blocks)).map(({ status }) => status)).toEqual(statuses)
    await workspace.close()
  })

  test('tries each block of a tear-down, also after it was canceled', async () => {
    const { workspace, teardown } = openWorkspace(['true'], ['false', 'true'])
    workspace.cancel()
    expect((await workspace.tearDown(teardown)).map(({ status }) => status)).toEqual(['fail', 'pass'])
    await workspace.close()
  })
})
