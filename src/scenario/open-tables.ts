import { stepsOf, type Group, type Scenario, type Step } from '../spec/spec.ts'

/** Rows of tables of which all are run, each with the number of its table. */
export type OpenTables = ReadonlyMap<Step, number>

/** Finds them; none where a row that does not pass ends its table. */
export function openTablesOf({ children }: Pick<Scenario, 'children'>, rows: 'all' | 'stop'): OpenTables {
  if (rows === 'stop') return new Map()
  const tables = groupsIn(children).filter((group) => stepsOf(group).some(({ example }) => example !== undefined))
  const ofRows = tables.filter((group) => group.children.every((child) => child.kind === 'step'))
  return new Map(ofRows.flatMap((table, index) => stepsOf(table).map((row) => [row, index] as const)))
}

function groupsIn(children: Group['children']): readonly Group[] {
  return children.flatMap((child) => (child.kind === 'group' ? [child, ...groupsIn(child.children)] : []))
}
