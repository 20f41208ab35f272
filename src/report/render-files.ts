import { markup, type Html } from './html.ts'
import type { AgentRun } from './spec-record.ts'

type File = AgentRun['files'][number]

/** Links to what was copied into the folder of the report. */
export function renderFiles(files: readonly File[]): readonly Html[] {
  return files.length === 0 ? [] : [markup`<p class="files">${files.map(renderFile)}</p>`]
}

function renderFile({ title, path, bytes }: File): Html {
  if (path === undefined) return markup`<span>${title} (too large to be copied)</span> `
  return markup`<a href="${path}">${title}</a> <span class="place">${formatBytes(bytes)}</span> `
}

function formatBytes(bytes: number): string {
  return bytes < 1000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${Math.round(bytes / 1000)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`
}
