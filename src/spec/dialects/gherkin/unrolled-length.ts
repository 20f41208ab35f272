import type { Feature, FeatureChild, Step } from '@cucumber/messages'

/** The longest that Cucumber may make a feature, in UTF-16 code units of JSON: it has no limit but the memory. */
export const maxUnrolledLength = 64 * 1024 * 1024

/** How long all steps are once each row has its own and each scenario those of its background, as JSON. */
export function unrolledLength({ children }: Pick<Feature, 'children'>): number {
  return lengthBelow(children, 0)
}

function lengthBelow(children: readonly FeatureChild[], above: number): number {
  let before = above
  let sum = 0
  for (const { background, rule, scenario } of children) {
    if (background) before += lengthOf(background.steps)
    if (rule) sum += lengthBelow(rule.children, before)
    if (!scenario) continue
    const { examples, steps } = scenario
    const rows = examples.reduce((count, { tableBody }) => count + tableBody.length, 0)
    sum += (before + lengthOf(steps)) * (examples.length === 0 ? 1 : rows)
  }
  return sum
}

function lengthOf(steps: readonly Step[]): number {
  return JSON.stringify(steps).length
}
