import type { ShownSpec } from '../../src/report/folder/document.ts'
import type { Summary } from '../../src/report/folder/summary.ts'
import type { Project } from './create-project.ts'

/** The reporter that writes a report, beside one that shows. */
export const reporters = ['--reporter=default', '--reporter=vitest-mdtest/reporter']

export async function summaryIn(project: Project, dir = 'mdtest-report'): Promise<Summary> {
  return JSON.parse((await project.read(`${dir}/summary.js`)).replace(/^var mdtestSummary=/, ''))
}

/** How each spec and its steps ended. */
export const told = ({ specs }: Summary): Readonly<Record<string, string>> =>
  Object.fromEntries(
    specs.map(({ anchor, outcome, steps }) => [anchor, [outcome, ...steps.map((step) => step.outcome)].join(' ')]),
  )

/** What is told of the project with every kind of result. */
export const toldOfAll = {
  'failing.test.md': 'fail pass fail pass',
  'malformed.test.md': 'fail',
  'needs.test.md': 'skipped skipped',
  'passing.test.md': 'pass pass pass pass pass skipped skipped',
  'paying.test.md': 'blocked blocked skipped',
  'repeated.test.md': 'fail pass pass fail',
  'retried.test.md': 'pass pass',
  'shop.test.md': 'pass pass pass',
}

/** What a script of the report has of a spec. */
export function shownSpecIn(script: string): ShownSpec {
  return JSON.parse(script.replace(/^mdtestShow\("[\da-f]+",/, '').replace(/\)\n$/, ''))
}

/** What the report has of one spec. */
export async function contentOf(project: Project, anchor: string, dir = 'mdtest-report'): Promise<string> {
  const { specs } = await summaryIn(project, dir)
  return project.read(`${dir}/specs/${specs.find((spec) => spec.anchor === anchor)?.key}.js`)
}
