import { isAbsolute, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { escapePattern } from './escape-pattern.ts'

/** A line of the project's sources. */
export interface Place {
  /** Relative to the repository, with `/`; as it was where it is outside. */
  readonly file: string
  /** From 1. */
  readonly line?: number
}

/** A path as results have it; `root` is absolute, where it is known. */
export function relativeFile(path: string, root: string | undefined): string {
  const file = path.startsWith('file:') ? toPath(path) : path
  if (!isAbsolute(file) || root === undefined) return file.replace(/^\.\//, '')
  const inside = relative(root, file)
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? file : inside.split(sep).join('/')
}

/** Where a JavaScript error was thrown: the first frame in the test's own file, else the first in the project. */
export function placeInStack(
  stack: string,
  { root, file }: { root: string; file?: string | undefined },
): Place | undefined {
  const frames = stack.split('\n').flatMap((line): (Place & { line: number })[] => {
    const found = /^\s*(?:at |❯ )(?:.*\(|.* )?((?:file:\/\/)?[^\s()]+):(\d+):\d+\)?$/.exec(line.slice(0, 2000))
    return found?.[1] === undefined ? [] : [{ file: relativeFile(found[1], root), line: Number(found[2]) }]
  })
  const own = frames.find((frame) => frame.file === file)
  return own ?? frames.find((frame) => !isAbsolute(frame.file) && !/(?:^|\/)node_modules\/|^node:/.test(frame.file))
}

/** The line that an error of a compiler names in a file: `a.ts:3:9`, or `a.ts: Unexpected token (3:9)`. */
export function lineInMessage(message: string, file: string): number | undefined {
  const found = new RegExp(`${escapePattern(file)}(?::|[^\\n]{0,200}\\()(\\d+)`).exec(message)
  return found?.[1] === undefined ? undefined : Number(found[1])
}

function toPath(url: string): string {
  try {
    return fileURLToPath(url)
  } catch {
    // Not a URL of a file on this machine.
    return url
  }
}
