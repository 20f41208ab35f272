import { parse } from 'unbash'

/**
 * The command that a line leaves in the background: `node server.mjs` of `node server.mjs &`. `undefined` where the line
 * does something else besides. A line was read before: this does not throw.
 */
export function backgroundCommand(line: string): string | undefined {
  const { commands } = parse(line)
  const [only] = commands
  if (commands.length !== 1 || only?.background !== true) return undefined
  return line.slice(only.command.pos, only.command.end)
}
