import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { parseOptionsOf } from '../../plan/parse-options.ts'
import { ownCommand } from '../../system/own-command.ts'
import { SetUpError } from '../common/set-up-error.ts'
import type { FoundSpec } from '../common/find-specs.ts'

interface LineContext {
  /** Absolute path that the spec is named relative to. */
  readonly root: string
  /** A line stands for all of its scenario, not for the step there. */
  readonly isOfScenario: boolean
  /** How the spec is read. */
  readonly parse: ReturnType<typeof parseOptionsOf>
}

/**
 * Vitest selects by the line of a heading; here any line inside a step will do.
 * @throws {SetUpError} for a line that belongs to no step.
 */
export async function headingLines(
  { file, lines }: FoundSpec,
  { root, isOfScenario, parse }: LineContext,
): Promise<FoundSpec> {
  if (!lines) return { file }
  // The parser is large; most runs select nothing by line.
  const { parseSpec } = await import('../../spec/parse-spec.ts')
  const { headingLineAt, scenarioLineAt } = await import('../../plan/heading-line.ts')
  const { spec } = parseSpec(await readFile(file), { file, ...parse })
  const headings = lines.map((line) => {
    const found = headingLineAt(spec, line)
    if (found === undefined) {
      const name = relative(root, file)
      throw new SetUpError(
        `${name} has no step at line ${line}. \`${ownCommand} list ${name}\` shows the line of each.`,
      )
    }
    return isOfScenario ? scenarioLineAt(spec, line) : found
  })
  const known = headings.filter((heading) => heading !== undefined)
  return known.length < headings.length ? { file } : { file, lines: [...new Set(known)] }
}
