import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { withoutFrontMatterCredentials } from '../../../spec/browser/credentials.ts'
import type { SpecPart } from '../../../spec/spec.ts'
import type { BrowserTask } from '../browser-task.ts'

/** What the user says to the model: the spec and what it includes, as they are, or the parts of them that it needs. */
export async function specTexts({ specFiles, parts }: Pick<BrowserTask, 'specFiles' | 'parts'>): Promise<string[]> {
  const asked: readonly SpecPart[] =
    parts ?? specFiles.map((file, index) => ({ file, line: 1, kind: index === 0 ? 'scenario' : 'included' }))
  const texts = await Promise.all(asked.map(readPart))
  return asked.map(({ kind, file }, index) => {
    const isContinued = kind === 'context' && asked[index - 1]?.kind === 'context'
    return `${isContinued ? '' : headOf(kind, basename(file))}${texts[index] ?? ''}`
  })
}

async function readPart({ file, line, endLine }: SpecPart): Promise<string> {
  const text = withoutFrontMatterCredentials(await readFile(file, 'utf8'))
  return line === 1 && endLine === undefined
    ? text
    : text
        .split(/\r\n|\r|\n/)
        .slice(line - 1, endLine)
        .join('\n')
}

/** What is not the spec itself is told apart. */
function headOf(kind: SpecPart['kind'], name: string): string {
  if (kind === 'context') return 'Context of the scenario, no step of it:\n\n'
  if (kind === 'included') return `Included file ${name}:\n\n`
  if (kind === 'seed') return `Seed ${name}, code of another test runner. First do by hand what it prepares:\n\n`
  return ''
}
