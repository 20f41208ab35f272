import { readFileSync } from 'node:fs'
import { parseXml, XmlElement } from '@rgrove/parse-xml'
import { formatDuration } from './format-duration.ts'

/** A test file in one of several runs. */
export interface TimedFile {
  readonly run: string
  readonly file: string
  readonly durationMs: number
}

/** How long a file takes with its hooks stands in JUnit's result files alone: Vitest's JSON knows of tests only. */
export function formatSlowestFiles(files: readonly TimedFile[], count: number): string {
  const slowest = files.toSorted((one, other) => other.durationMs - one.durationMs).slice(0, count)
  const width = Math.max(0, ...slowest.map(({ run }) => run.length))
  return slowest
    .map(({ run, file, durationMs }) => `${formatDuration(durationMs).padStart(12)}  ${run.padEnd(width)}  ${file}`)
    .join('\n')
}

/** The test files of a run. None where it has left no results, or broken ones: no test fails for the want of a table. */
export function readTimedFiles(run: string, resultFile: string): readonly TimedFile[] {
  return readSuites(resultFile).map(({ attributes: { name = '', time } }) => ({
    run,
    file: name,
    durationMs: Number(time) * 1000,
  }))
}

function readSuites(resultFile: string): readonly XmlElement[] {
  try {
    const children = parseXml(readFileSync(resultFile, 'utf8')).root?.children ?? []
    return children.filter((child) => child instanceof XmlElement)
  } catch {
    return []
  }
}
