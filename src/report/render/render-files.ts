import { markup, type Html } from './html.ts'

/** A file that was copied into the folder of the report; without a path it was too large. */
interface ShownFile {
  readonly title: string
  readonly bytes: number
  readonly path?: string
}

/** Files in the folder of the report, to be opened. */
export function renderFiles(files: readonly ShownFile[]): Html | undefined {
  return files.length === 0 ? undefined : markup`<p class="files">${files.map(renderFile)}</p>`
}

function renderFile({ title, path, bytes }: ShownFile): Html {
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
