import { join } from 'node:path'

/** Where Claude Code keeps its settings, sessions and logins. */
export function claudePaths({
  CLAUDE_CONFIG_DIR: folder,
  HOME: home = '',
}: Readonly<Record<string, string>>): readonly string[] {
  return folder === undefined ? [join(home, '.claude'), join(home, '.claude.json')] : [folder]
}
