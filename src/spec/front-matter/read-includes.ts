import { dirname, isAbsolute, relative, resolve } from 'node:path'

import { createReader, keys, reportUnknownKeys } from './front-matter-keys.ts'
import { readSource, type Source } from '../read-source.ts'
import type { Report } from '../rules/spec-rules.ts'
import type { Place } from '../spec.ts'

/** Takes an absolute path. Returns the content, or why the file cannot be used and what to do. */
export type ReadIncluded = (
  file: string,
) => Uint8Array | string | { readonly problem: string; readonly isMissing?: boolean }

export interface Includer {
  readonly file: string
  readonly source: Pick<Source, 'frontMatter'>
  readonly include: readonly string[]
}

export interface IncludedFile extends Includer {
  readonly source: Source
  readonly report: Report
}

export interface IncludeContext {
  readonly readIncluded: ReadIncluded
  reportIn(file: string): Report
}

const maxDepth = 8

/** Returns each included file once, after the files that it includes. */
export function readIncludes(spec: Includer, context: IncludeContext): readonly IncludedFile[] {
  const seen = new Set<string>()
  const visit = (includer: Includer, above: readonly string[]): readonly IncludedFile[] =>
    includeEntries(includer, above, context.reportIn(includer.file)).flatMap((entry) => {
      if (seen.has(entry.file)) return []
      seen.add(entry.file)
      const included = readIncludedFile(entry, context)
      return included === undefined ? [] : [...visit(included, [...above, included.file]), included]
    })
  return visit(spec, [spec.file])
}

interface Entry {
  readonly path: string
  readonly file: string
  readonly place: Place
  readonly report: Report
}

function includeEntries(
  { file: including, include, source }: Includer,
  above: readonly string[],
  report: Report,
): readonly Entry[] {
  return include.flatMap((path, index) => {
    const file = resolve(dirname(including), path)
    const place = source.frontMatter.placeOf(['include', index])
    const fault = faultOf(path) ?? (include.indexOf(path) < index ? 'is included twice. Leave it once.' : undefined)
    if (fault !== undefined) report('include-path', place, `\`${path}\` ${fault}`)
    else if (above.includes(file)) {
      const circle = [...above.slice(above.indexOf(file)), file]
      const names = circle.map((each) => relative(dirname(file), each)).join(' → ')
      report('include-cycle', place, `These files include each other: ${names}. Remove one of the includes.`)
    } else if (above.length > maxDepth) {
      const message = `\`${path}\` would be included ${above.length} levels deep, and ${maxDepth} are allowed. Include it further up.`
      report('include-cycle', place, message)
    } else return [{ path, file, place, report }]
    return []
  })
}

function faultOf(path: string): string | undefined {
  if (isAbsolute(path)) return 'is an absolute path. Give it relative to this file.'
  if (!path.endsWith('.md')) return 'is no `.md` file, and only markdown can be included.'
  if (path.endsWith('.test.md')) return 'is a spec and runs by itself. Move what they share into an `.md` file.'
  return undefined
}

function readIncludedFile(
  { path, file, place, report }: Entry,
  { readIncluded, reportIn }: IncludeContext,
): IncludedFile | undefined {
  const found = readIncluded(file)
  if (typeof found === 'object' && 'problem' in found) {
    report('include-unreadable', place, `\`${path}\` cannot be included: ${found.problem}`)
    return undefined
  }
  const reportInside = reportIn(file)
  const source = readSource(found, reportInside)
  if (source === undefined) return undefined
  const what = 'an included file (settings belong in the spec)'
  reportUnknownKeys(source.frontMatter, reportInside, { what, known: ['include'] })
  const include = createReader(source.frontMatter, reportInside)('include', keys.include) ?? []
  return { file, include, source, report: reportInside }
}
