import { relative, resolve } from 'node:path'
import type { Vitest } from 'vitest/node'
import { isInnerPath } from '../../../spec/front-matter/is-inner-path.ts'

/** Whether Vitest writes a file itself: reports, attachments, coverage. It is no source of a spec, whatever that watches. */
export function isVitestOutput(file: string, config: Vitest['config']): boolean {
  const { attachmentsDir, coverage, root } = config
  const folders = ['.vitest', attachmentsDir, ...(coverage.enabled ? [coverage.reportsDirectory] : [])]
  return [...folders, ...reportFiles(config)].some((path) => {
    const place = resolve(root, path)
    return file === place || isInnerPath(relative(place, file))
  })
}

function reportFiles({ outputFile, reporters }: Vitest['config']): readonly string[] {
  const ofAll = typeof outputFile === 'string' ? [outputFile] : Object.values(outputFile ?? {})
  return [...ofAll, ...reporters.map(reportFile)].filter((path) => typeof path === 'string')
}

function reportFile(reporter: Vitest['config']['reporters'][number]): unknown {
  const options: unknown = Array.isArray(reporter) ? reporter[1] : undefined
  return typeof options === 'object' && options !== null ? Reflect.get(options, 'outputFile') : undefined
}
