import { bashRule } from '../../system/text/bash-rule.ts'

/**
 * The permission rule that would let a refused call of Claude Code through, or `undefined` where no rule does.
 * A rule covers a simple command from its start, so a variable before the program belongs to it
 * (`Bash(CI=1 npm *)`), and of a compound command only the refused part needs one.
 */
export function claudeRule(tool: string, input: Readonly<Record<string, unknown>>): string | undefined {
  if (tool === 'Bash') return typeof input.command === 'string' ? bashRule(input.command) : undefined
  if (typeof input.file_path === 'string' && (tool === 'Write' || tool === 'Edit')) return editRule(input.file_path)
  if (tool === 'WebFetch' && typeof input.url === 'string') return webRule(input.url)
  return tool
}

/** A path from the root of the file system is written with two slashes. */
function editRule(file: string): string {
  return file.startsWith('/') ? `Edit(/${file})` : `Edit(${file})`
}

function webRule(url: string): string {
  return URL.canParse(url) ? `WebFetch(domain:${new URL(url).hostname})` : 'WebFetch'
}
