import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { orNothing } from '../../system/error-facts.ts'
import { realPathOf } from '../../system/files/trusted-folder.ts'
import { isInside, pathIn } from '../../system/files/paths.ts'
import { quoteRegex } from '../../system/text/shell-and-regex-quotes.ts'

/** Real path of a file or file URL, relative to the root. `path` may be relative to a parent of the root. */
export function relativeFile(path: string, root: string): string {
  // The URL may not be a valid file URL on this machine.
  const file = path.startsWith('file:') ? (orNothing(() => fileURLToPath(path)) ?? path) : path
  const whole = isAbsolute(file) ? file : wholePath(file, root)
  return pathBelow(realPathOf(root), realPathOf(whole)) ?? pathBelow(root, whole) ?? file
}

export function isInProject(file: string, root: string): boolean {
  return pathBelow(root, resolve(root, file)) !== undefined && existsSync(resolve(root, file))
}

export function lineInStack(stack: string, { root, file }: { root: string; file: string }): number | undefined {
  const whole = resolve(root, file)
  const forms = [file, whole, realPathOf(whole), pathToFileURL(whole).href]
  const frame = new RegExp(`(?:^|[\\s(/])(?:${forms.map(quoteRegex).join('|')}):(\\d+):\\d+\\)?$`)
  for (const line of stack.split('\n')) {
    const found = frame.exec(line.slice(0, maxFrameCharacters).trimEnd())
    if (found?.[1] !== undefined) return Number(found[1])
  }
  return undefined
}

const maxFrameCharacters = 4000

export function lineInMessage(message: string, file: string): number | undefined {
  const found = new RegExp(`${quoteRegex(file)}(?::|[^\\n]{0,200}\\()(\\d+)`).exec(message)
  return found?.[1] === undefined ? undefined : Number(found[1])
}

function wholePath(file: string, root: string): string {
  for (let folder = root; dirname(folder) !== folder; folder = dirname(folder)) {
    if (existsSync(join(folder, file))) return join(folder, file)
  }
  return join(root, file)
}

function pathBelow(root: string, path: string): string | undefined {
  const way = pathIn(root, path)
  return way === '' || !isInside(path, root) ? undefined : way
}
