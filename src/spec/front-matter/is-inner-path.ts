import { posix } from 'node:path'

/** Whether a path stays inside the directory it is relative to: not absolute, no way up and out, not empty. */
export function isInnerPath(path: string): boolean {
  if (path.trim() === '' || /^(?:[/\\~]|[A-Za-z]:)/.test(path) || path.includes('\0')) return false
  const normalized = posix.normalize(path.replaceAll('\\', '/'))
  return normalized !== '..' && !normalized.startsWith('../')
}
