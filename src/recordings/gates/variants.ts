import { mapSteps, stepsOf, type Block, type Scenario, type Step } from '../../spec/spec.ts'

/**
 * A scenario of which only some steps are judged, each by its recorded blocks: what comes before one is carried out as far
 * as it can be, whatever comes of it.
 */
export function onlyJudging(scenario: Scenario, judged: readonly string[]): Scenario {
  const last = stepsOf(scenario).findLast(({ id }) => judged.includes(id))?.ordinal ?? 0
  const replace = (step: Step): Step => {
    if (step.ordinal > last) return { ...step, actor: 'todo', blocks: [] }
    const blocks = step.blocks.filter(({ role }) => role !== 'verify')
    if (!judged.includes(step.id))
      return { ...step, actor: 'code', blocks: [...blocks.flatMap(lenient), nothing(step)] }
    const own = blocks.flatMap((block) => (block.isRecorded ? block : lenient(block)))
    return { ...step, blocks: own }
  }
  const { setup, teardown: _teardown, ...rest } = mapSteps(scenario, replace)
  return { ...rest, ...(setup && { setup: { ...setup, blocks: setup.blocks.flatMap(lenient) } }) }
}

/** A block that cannot fail. Services and code are left out: they would need what is not there. */
function lenient(block: Block): readonly Block[] {
  if (block.kind === 'file') return [block]
  if (block.attributes.server !== undefined) return []
  if (block.kind === 'module' || block.kind === 'browser' || block.attributes.background === true) return []
  const code = block.kind === 'console' ? block.commands.map(({ command }) => command).join('\n') : block.code
  const { exit: _exit, stream: _stream, ...attributes } = block.attributes
  const base = { ...block, role: 'run', attributes: { ...attributes, errexit: 'off' } } as const // literal values
  return [
    {
      ...base,
      kind: 'script',
      code: `${block.isRecorded ? `(\n${code}\n)` : `{\n${code}\n}`} || true\ntrue`,
      expected: [],
    },
  ]
}

/** What makes a step one that has something to run. */
function nothing({ line, column }: Step): Block {
  const base = { role: 'run', line, column, codeLine: line, attributes: { env: {} } } as const // literal values
  return { ...base, kind: 'script', code: 'true', expected: [] }
}
