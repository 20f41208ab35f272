import { posix } from 'node:path'

/** Whether a text is an absolute address of the web. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

/** What Vitest takes as a tag: no white space, none of `!*&|()`, which its filters use, and no comma. */
export const tagPattern = /^[^\s!*&|(),]+$/

export function isTag(text: string): boolean {
  return tagPattern.test(text)
}

/** Whether a path stays inside the directory it is relative to: not absolute, no way up and out, not empty. */
export function isInnerPath(path: string): boolean {
  if (path.trim() === '' || /^(?:[/\\~]|[A-Za-z]:)/.test(path) || path.includes('\0')) return false
  const normalized = posix.normalize(path.replaceAll('\\', '/'))
  return normalized !== '..' && !normalized.startsWith('../')
}
