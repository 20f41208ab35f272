import { requiredVariables } from '../../blocks/shell/shell-environment.ts'
import { planBlocks } from '../../scenario/plan-blocks.ts'
import { stepsOf, type Block, type Scenario, type Spec } from '../../spec/spec.ts'
import { type ShellSurroundings, mentions } from '../derive/shell-state.ts'

/** What is around the shell of the agent that carried out a scenario. */
export function shellAround({
  spec,
  scenario,
}: {
  readonly spec: Pick<Spec, 'frontMatter'>
  readonly scenario: Scenario
}): ShellSurroundings {
  const { env, requires } = spec.frontMatter
  const given = new Set([...Object.keys(env), ...requiredVariables(requires)])
  const planned = planBlocks(scenario)
  const steps = stepsOf(scenario)
  const all = codeOf([...planned.setup, ...steps.flatMap((step) => planned.of(step))])
  return {
    isExported: (name) => environment.test(name) || given.has(name) || mentions(all, name),
    behind(id) {
      const at = steps.findIndex((step) => step.id === id)
      const own = steps[at] === undefined ? [] : planned.of(steps[at]).filter(({ role }) => role === 'verify')
      return codeOf([...own, ...steps.slice(at + 1).flatMap((step) => planned.of(step)), ...planned.teardown])
    },
  }
}

/** What the shell of a scenario has in its environment, and what bash itself goes by. */
const environment =
  /^(?:PATH|HOME|USER|SHELL|TMPDIR|LANG|LC_\w+|TZ|COLUMNS|TEST(?:DIR|ROOT)|\w+_(?:proxy|PROXY)|MDTEST_\w+|IFS|CDPATH|GLOBIGNORE|BASH\w*|(?:OLD)?PWD|POSIXLY_CORRECT)$/

/** Of blocks that the shell executes. */
function codeOf(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (block.kind === 'console' || block.kind === 'script' ? block.code : [])).join('\n')
}
