import type { Scenario, Spec, SpecPart } from '../spec/spec.ts'

/** What an agent needs of a spec for a scenario; `undefined` where that is all of it. */
export function specPartsOf(spec: Spec, scenario: Scenario): readonly SpecPart[] | undefined {
  if (scenario.isApart !== true) return undefined
  const { setup, teardown, children, preambles = [] } = scenario
  const used = new Set([setup, teardown, ...children, ...preambles].flatMap((part) => part?.file ?? []))
  const included = spec.includes.filter((file) => used.has(file))
  const told = preambles.filter(({ file }) => file === undefined || !spec.includes.includes(file))
  const { line, endLine, lines = [{ line, endLine }] } = scenario
  return [
    ...told.map(({ file, ...lines }): SpecPart => ({
      file: file ?? spec.file,
      ...lines,
      kind: file === undefined ? 'context' : 'seed',
    })),
    ...included.map((file): SpecPart => ({ file, line: 1, kind: 'included' })),
    ...lines.map((own): SpecPart => ({ file: spec.file, ...own, kind: 'scenario' })),
  ]
}
