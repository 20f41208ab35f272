import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { Group, Step } from '../../spec/spec.ts'
import { SetUpError } from '../set-up-error.ts'
import type { FoundSpec } from './find-specs.ts'

/**
 * Vitest selects by the line of a heading; here any line inside a step will do.
 * @param root absolute path that the spec is named relative to
 * @throws {SetUpError} for a line that belongs to no step.
 */
export async function headingLines({ file, lines }: FoundSpec, root: string): Promise<FoundSpec> {
  if (!lines) return { file }
  // The parser is large; most runs select nothing by line.
  const { parseSpec } = await import('../../spec/parse-spec.ts')
  const { spec } = parseSpec(await readFile(file), { file })
  const headings = lines.map((line) => {
    const found = spec.scenarios.map((scenario) => headingAt(scenario, line)).find((heading) => heading !== undefined)
    if (found === undefined) {
      const name = relative(root, file)
      throw new SetUpError(`No step of ${name} is at line ${line}. \`mdtest list ${name}\` shows the line of each.`)
    }
    return found
  })
  return { file, lines: [...new Set(headings)] }
}

interface Section {
  readonly line: number
  readonly endLine: number
  readonly children?: readonly (Group | Step)[]
}

function headingAt(section: Section, line: number): number | undefined {
  if (line < section.line || line > section.endLine) return undefined
  for (const child of section.children ?? []) {
    const heading = headingAt('children' in child ? child : { line: child.line, endLine: child.endLine }, line)
    if (heading !== undefined) return heading
  }
  return section.line
}
