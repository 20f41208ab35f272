import type { Given } from '../line/words.ts'

/** Words of a program's own language by which it starts a command of the agent's, or keeps one for later. */
const starting: Readonly<Record<string, (words: readonly string[]) => string | undefined>> = {
  git: ([command = '', ...words]) => {
    if (/^(?:bisect|filter-branch|mergetool|difftool|daemon|instaweb|send-email)$/.test(command)) {
      return command === 'bisect' && words[0] !== 'run' ? undefined : command
    }
    if (command === 'submodule' && words[0] === 'foreach') return command
    if (command === 'config' && words.some((word) => gitSettings.test(word))) return command
    return [command, ...words].find((word) => word.startsWith('ext::'))
  },
  npm: ([command = '', ...words]) => {
    if (/^(?:explore|edit|set|set-script|link|ln)$/.test(command)) return command
    return /^(?:config|c|pkg)$/.test(command) && words[0] === 'set' ? command : undefined
  },
  pnpm: ([command = '', first]) => (/^(?:config|c)$/.test(command) && first === 'set' ? command : undefined),
  curl: (words) => words.find((word) => /^file:/i.test(word)),
  sqlite3: (words) =>
    words.find((word) =>
      /\.(?:sh|system|open|output|once|excel|import|load|read)|writefile|readfile|load_extension/i.test(word),
    ),
  psql: (words) => words.find((word) => word.includes('\\') || /\b(?:program|copy)\b/i.test(word)),
  java: (words) => words.find((word) => /^-XX:(?:On|Flags|VMOptionsFile)/.test(word)),
}

/** Settings of git that hold commands, or lead to some. */
const gitSettings =
  /^(?:alias|pager|filter|include|includeif|credential|sequence|uploadpack|browser|man|help|trailer|hook)\.|^core\.(?:pager|editor|fsmonitor|hookspath|sshcommand|gitproxy|askpass|worktree)|\.(?:cmd|textconv|command|helper|program|process|tool|editor|external|driver|templatedir)$/i

/** The word by which a program with these arguments starts other commands: a rule has to name it. */
export function startsByWord(program: string, args: readonly Given[]): string | undefined {
  const words = args.flatMap(({ value }) =>
    value === undefined || (value.startsWith('-') && !value.startsWith('-X')) ? [] : [value],
  )
  return Object.hasOwn(starting, program) ? starting[program]?.(words) : undefined
}
