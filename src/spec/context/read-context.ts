import type { ReadIncluded } from '../front-matter/read-includes.ts'
import { readFrontMatter } from '../front-matter/read-front-matter.ts'
import type { RawFrontMatter } from '../front-matter/parse-front-matter.ts'
import { readSource, type Source } from '../read-source.ts'
import type { Report } from '../rules/spec-rules.ts'
import { buildSections, type Section } from '../sections/build-sections.ts'

/** Name of the file that says how the product is run, for specs of other tools: these have no place for it. */
export const contextName = 'mdtest.context.md'

/** One such file. */
export interface ContextFile {
  readonly file: string
  readonly frontMatter: RawFrontMatter
  readonly source: Source
  readonly sections: readonly Section[]
  readonly report: Report
}

interface ContextReading {
  readonly readIncluded: ReadIncluded
  readonly agentNames?: readonly string[] | undefined
  reportIn(file: string): Report
}

/** Reads those of the files (absolute paths, the outermost first) that are there. */
export function readContextFiles(
  files: readonly string[],
  { readIncluded, agentNames, reportIn }: ContextReading,
): readonly ContextFile[] {
  return files.flatMap((file) => {
    const found = readIncluded(file)
    const report = reportIn(file)
    if (typeof found === 'object' && 'problem' in found) {
      if (found.isMissing !== true)
        report('context-file', { line: 1, column: 1 }, `It cannot be read: ${found.problem}`)
      return []
    }
    const source = readSource(found, report)
    if (source === undefined) return []
    const { frontMatter } = source
    reportKeys(frontMatter, report)
    // For its problems: what it says is put together with what the other files say.
    readFrontMatter(frontMatter, report, agentNames)
    return [{ file, frontMatter, source, sections: buildSections(source.root.children).sections, report }]
  })
}

/** What is of one file alone. */
const ofSpecs = ['title', 'dialect', 'include']

function reportKeys({ values, placeOf }: RawFrontMatter, report: Report): void {
  for (const name of ofSpecs.filter((key) => values.has(key))) {
    const message = `\`${name}\` has no meaning in \`${contextName}\`, which is of many specs. Take it out.`
    report('context-file', placeOf([name]), message)
  }
}
