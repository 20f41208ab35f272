import { existsSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { orNothing } from '../../system/error-facts.ts'
import { isInside } from '../../system/files/paths.ts'
import { quoteRegex } from '../../system/text/quoting.ts'

/** Of a path or URL, through links, relative to the root or to a folder above it, as some runners have it. */
export function relativeFile(path: string, root: string | undefined): string {
  // It may be no URL of a file on this machine.
  const file = path.startsWith('file:') ? (orNothing(() => fileURLToPath(path)) ?? path) : path
  if (root === undefined) return file.replace(/^\.\//, '')
  const whole = isAbsolute(file) ? file : wholePath(file, root)
  return pathBelow(realPath(root), realPath(whole)) ?? pathBelow(root, whole) ?? file
}

export function isInProject(file: string, root: string): boolean {
  return pathBelow(root, resolve(root, file)) !== undefined && existsSync(resolve(root, file))
}

/** The line of a stack's first frame in this file, whatever characters its path has; other frames say nothing. */
export function lineInStack(stack: string, { root, file }: { root: string; file: string }): number | undefined {
  const whole = resolve(root, file)
  const forms = [file, whole, realPath(whole), pathToFileURL(whole).href]
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
  const way = relative(root, path)
  return way === '' || !isInside(path, root) ? undefined : way.split(sep).join('/')
}

function realPath(path: string): string {
  return orNothing(() => realpathSync.native(path)) ?? path
}
