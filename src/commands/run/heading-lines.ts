import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { SpecsConfig } from '../../plan/specs-config.ts'
import { commandFor, type AskedAgent } from '../common/asked-specs.ts'
import { SetUpError } from '../common/set-up-error.ts'
import type { FoundSpec } from '../common/find-specs.ts'

interface LineContext extends Pick<SpecsConfig, 'options'> {
  readonly commandLine: SpecsConfig['commandLine'] & { readonly agent?: AskedAgent }
  /** Absolute path that the spec is named relative to. */
  readonly root: string
  /** A line stands for all of its scenario, not for the step there. */
  readonly isOfScenario: boolean
}

/**
 * Vitest selects by the line of a heading; here any line inside a step will do.
 * @throws {SetUpError} for a line that belongs to no step.
 */
export async function headingLines(
  { file, lines }: FoundSpec,
  { root, isOfScenario, options, commandLine }: LineContext,
): Promise<FoundSpec> {
  if (!lines) return { file }
  // The parser is large; most runs select nothing by line.
  const { readSpec } = await import('../../plan/read-spec.ts')
  const { headingLineAt, scenarioLineAt } = await import('../../plan/heading-line.ts')
  const { spec } = readSpec(await readFile(file), { file, root, options, commandLine })
  const headings = lines.map((line) => {
    const found = headingLineAt(spec, line)
    if (found === undefined) {
      const name = relative(root, file)
      throw new SetUpError(
        `${name} has no step at line ${line}. \`${commandFor(['list', name], commandLine.agent)}\` shows the line of each.`,
      )
    }
    return isOfScenario ? scenarioLineAt(spec, line) : found
  })
  const known = headings.filter((heading) => heading !== undefined)
  return known.length < headings.length ? { file } : { file, lines: [...new Set(known)] }
}
