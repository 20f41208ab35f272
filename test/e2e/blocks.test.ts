import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { createProject, plainConfig, type Project } from '../support/create-project.ts'
import { readSpecReports, type SpecReport } from '../support/spec-reports.ts'

// Each folder of fixtures/blocks is a case: spec.md and what else the spec needs, and expected.txt, which says what
// became of its tests. MDTEST_UPDATE_FIXTURES=1 writes them; read the diff.
const root = new URL('../../fixtures/blocks/', import.meta.url)
const cases = readdirSync(root).toSorted()
const expectedFile = (name: string): URL => new URL(`${name}/expected.txt`, root)

/** The files of all cases as one project. Each spec has a name of its own, so that no report is taken for another. */
async function createCases(): Promise<Project> {
  const files = cases.flatMap((name) => {
    const folder = new URL(`${name}/`, root)
    const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return inside
      .filter((file) => file !== 'expected.txt' && statSync(new URL(file, folder)).isFile())
      .map((file) => [specPath(name, file), readFileSync(new URL(file, folder), 'utf8')] as const)
  })
  return createProject({ 'vitest.config.js': plainConfig, ...Object.fromEntries(files) })
}

function specPath(name: string, file = 'spec.md'): string {
  return `${name}/${file === 'spec.md' ? `${name}.test.md` : file}`
}

/** One line for each test, and below it why it failed and at which lines. */
function render({ tests, message }: SpecReport): string {
  const lines = tests.map(({ titles, status, failures }) =>
    [`${status}  ${titles.join(' > ')}`, ...failures.flatMap((failure) => indent(failure.trimEnd()))].join('\n'),
  )
  return `${lines.length > 0 ? lines.join('\n\n') : message.trim()}\n`
}

function indent(text: string): readonly string[] {
  return text.split('\n').map((line) => (line === '' ? '' : `    ${line.replace(/^ +at /, 'at ')}`))
}

describe('blocks', () => {
  const found = new Map<string, string>()
  beforeAll(async () => {
    await using project = await createCases()
    const { stdout } = await project.vitest(['run', '--reporter=json'])
    const reports = readSpecReports(stdout, project.dir)
    for (const name of cases) {
      const report = reports.get(specPath(name))
      if (report === undefined) continue
      found.set(name, render(report).replaceAll(`${project.dir}/`, '').replaceAll(specPath(name), 'spec.md'))
    }
  })

  test.each(cases)('%s', (name) => {
    const text = found.get(name) ?? ''
    if (process.env.MDTEST_UPDATE_FIXTURES === '1') writeFileSync(expectedFile(name), text)
    expect(text).toBe(readFileSync(expectedFile(name), 'utf8'))
  })
})
