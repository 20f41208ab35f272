/** What a command printed, and its exit code where it ended by itself. */
export interface ShellAnswer {
  readonly output: string
  readonly exitCode?: number
}

/** Lines that Gemini CLI puts behind the output of a command, each once and in this order. */
const labels = ['Error', 'Exit Code', 'Signal', 'Background PIDs', 'Process Group PGID']

/**
 * Reads what Gemini CLI tells its model of a command. It names the exit code only where it is not 0. Lines of the output
 * itself that look like its own stand before those.
 */
export function readShellAnswer(told: string): ShellAnswer {
  const framed = withoutFrame(told)
  if (!framed.startsWith('Output: ')) return { output: told }
  const lines = framed.slice('Output: '.length).split('\n')
  const facts = new Map<string, string>()
  for (const label of labels.toReversed()) {
    if (lines.length > 1 && lines.at(-1)?.startsWith(`${label}: `))
      facts.set(label, lines.pop()?.slice(label.length + 2) ?? '')
  }
  const output = lines.join('\n')
  const code = facts.get('Exit Code') ?? (facts.has('Error') || facts.has('Signal') ? '' : '0')
  return { output: output === '(empty)' ? '' : output, ...(/^\d+$/.test(code) && { exitCode: Number(code) }) }
}

/** Gemini CLI puts lines around what a command or a tool of a server gave. */
export function withoutFrame(told: string): string {
  return /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>$/.exec(told)?.[1] ?? told
}
