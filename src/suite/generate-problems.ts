import { relative } from 'node:path'
import { formatProblems } from '../spec/format-problems.ts'
import { addCode, emptyLinesOf, moduleOf, type GeneratedModule } from './module-lines.ts'
import type { PlannedSpec } from './plan-spec.ts'

interface SpecSource {
  /** Absolute paths. */
  readonly file: string
  readonly root: string
  readonly text: string
}

/** The module of a spec with problems: it throws them all, at the line of the first. */
export function generateProblems(
  { problems, included }: Extract<PlannedSpec, { readonly ok: false }>,
  { file, root, text }: SpecSource,
): GeneratedModule {
  const count = problems.length
  const shown = formatProblems(problems, { text, included, root })
  const report = `${relative(root, file)} has ${count} problem${count === 1 ? '' : 's'}:\n${shown}`
  const lines = emptyLinesOf(text)
  const line = problems.find((problem) => problem.file === file)?.line ?? 1
  addCode(lines, line, `throw Object.assign(new Error(${JSON.stringify(report)}), { name: "SpecError" });`)
  return moduleOf(lines, { file, text })
}
