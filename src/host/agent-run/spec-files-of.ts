import type { ScenarioRequest } from '../protocol/protocol.ts'

/** What the work of an agent rests on: the spec, what it includes, and seeds that it names. Absolute paths, each once. */
export function specFilesOf({
  specFile,
  includedFiles,
  parts = [],
}: Pick<ScenarioRequest, 'specFile' | 'includedFiles' | 'parts'>): readonly string[] {
  return [...new Set([specFile, ...includedFiles, ...parts.map(({ file }) => file)])]
}
