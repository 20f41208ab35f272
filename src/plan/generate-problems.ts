import { relative } from 'node:path'
import { formatProblems } from '../spec/problems.ts'
import type { Place } from '../spec/spec.ts'
import { addCode, emptyLinesOf, moduleOf, type GeneratedModule } from './module-lines.ts'
import type { PlannedSpec } from './plan-spec.ts'

interface SpecSource {
  readonly file: string
  readonly root: string
  readonly text: string
}

/** The module of a spec with problems: it throws them all, at the line of the first. */
export function generateProblems(
  { problems, included }: Extract<PlannedSpec, { readonly ok: false }>,
  { file, root, text }: SpecSource,
): GeneratedModule {
  const shown = formatProblems(problems, { text, included, root })
  const count = problems.length
  const report = count === 1 ? shown : `${relative(root, file)} has ${count} problems:\n${shown}`
  const lines = emptyLinesOf(text)
  const place = problems.find((problem) => problem.file === file) ?? includingPlace(text)
  addCode(lines, place.line, `throw Object.assign(new Error(${JSON.stringify(report)}), { name: "SpecError" });`)
  return moduleOf(lines, { file, text }, place)
}

/** Where a spec without problems of its own has those of others from. */
function includingPlace(text: string): Place {
  const index = text.split('\n').findIndex((line) => line.startsWith('include:'))
  return { line: Math.max(index, 0) + 1, column: 1 }
}
