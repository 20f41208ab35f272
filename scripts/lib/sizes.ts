import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './run-command.ts'

interface SizedFile {
  readonly path: string
  readonly lines: number
}

/** Describes the size of the source, for information only. Never throws, even without git. */
export function formatSizes(): string {
  try {
    return describeSizes()
  } catch (error) {
    return `The sizes are not known: ${String(error)}`
  }
}

function describeSizes(): string {
  const source = sizedFiles('src')
  const ordered = source.toSorted((one, other) => other.lines - one.lines)
  const at = (share: number) => ordered[Math.floor((1 - share) * (ordered.length - 1))]?.lines ?? 0
  const lines = sum(source)
  const testLines = sum(sizedFiles('test'))
  return [
    `src: ${source.length} files, ${lines} lines; a file: median ${at(0.5)}, p90 ${at(0.9)}, max ${at(1)}`,
    `lines of tests per line of source: ${(testLines / lines).toFixed(2)} (${testLines} lines)`,
    `largest files: ${ordered
      .slice(0, 10)
      .map(({ path, lines: each }) => `${path} ${each}`)
      .join(', ')}`,
    `largest flat folders: ${largestFolders(source)
      .map(([folder, count]) => `${folder} ${count}`)
      .join(', ')}`,
  ].join('\n')
}

function sizedFiles(folder: string): readonly SizedFile[] {
  const pattern = `${folder}/*.ts`
  const listed = execFileSync('git', ['ls-files', '-z', '--', pattern], { cwd: root, encoding: 'utf8' })
  return listed
    .split('\0')
    .filter((path) => path !== '')
    .flatMap((path) => {
      const text = readIfThere(path)
      return text === undefined ? [] : [{ path, lines: text.split('\n').length - 1 }]
    })
}

/** Returns `undefined` for a tracked file that is deleted in the work tree. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch {
    return undefined
  }
}

function largestFolders(files: readonly SizedFile[]): readonly (readonly [folder: string, count: number])[] {
  const counts = new Map<string, number>()
  for (const { path } of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return [...counts].toSorted(([, one], [, other]) => other - one).slice(0, 5)
}

function sum(files: readonly SizedFile[]): number {
  return files.reduce((total, { lines }) => total + lines, 0)
}
