import { createProject, mdtestConfig, timeSpecList } from '../lib/project.ts'
import type { Measure } from '../lib/measure.ts'
import { runRounds } from '../lib/rounds.ts'
import { files } from '../lib/spec-texts.ts'
import { timedRow } from '../lib/table.ts'

const specCount = 60
const scenariosPerSpec = 12
const scenarios = specCount * scenariosPerSpec
/** Files in `node_modules`, which a search through all files would have to read. */
const packageFiles = 2000

/** Compares `mdtest list` of all OpenSpec specs, with a context file at the root, with listing a single spec. */
export const openspecList: Measure = async ({ rounds = 5 }) => {
  const project = await createProject({
    'vitest.config.ts': mdtestConfig,
    'mdtest.context.md': '# How it is run\n\nRun it.\n\n## Scenario: Only here\n\n```sh verify\ntrue\n```\n',
    ...files(specCount, (n) => [`openspec/specs/area${n}/spec.md`, specText(n)]),
    ...files(packageFiles, (n) => [`node_modules/many/file${n}.js`, '']),
  })
  try {
    const time = (path: string, expected: number) => () => timeSpecList(project, path, expected)
    const result = await runRounds({
      rounds,
      ours: time('openspec/specs', scenarios),
      plain: time('openspec/specs/area1/spec.md', scenariosPerSpec),
    })
    return [timedRow(`list of ${scenarios} OpenSpec scenarios`, result, { maxAddedMs: 1000 })]
  } finally {
    await project.remove()
  }
}

function specText(n: number): string {
  const requirements = files(scenariosPerSpec / 3, (r) => [`${r}`, requirementText(n, r)])
  return `# area${n} Specification

## Purpose

What area ${n} of the shop does for whoever buys something there.

## Requirements

${Object.values(requirements).join('\n')}`
}

function requirementText(n: number, r: number): string {
  const titles = ['It is there', 'It is gone', n === 1 && r === 1 ? 'Only here' : 'It is back']
  const scenarios = titles.map(
    (title) => `#### Scenario: ${title}

- **GIVEN** a customer
- **WHEN** she asks for \`${r}\`
- **THEN** the page shows it:
  - with its price
- **AND** nothing else
`,
  )
  return `### Requirement: Do ${r}\n\nThe shop SHALL do ${r}.\n\n${scenarios.join('\n')}`
}
