import { splitWords } from '../../system/text/read-shell.ts'

export interface PermitOptions {
  /** Rules as Claude Code's permission rules, such as `Bash(npm *)`. Those that are not of commands say nothing here. */
  readonly allow: readonly string[]
  readonly dangerouslyAllowAllActions: boolean
  /** Absolute path of the directory in which the shell is. */
  readonly cwd: string
  /** Absolute paths of what commands may look at without a rule. */
  readonly roots: readonly string[]
  /** Whether a command may write this file (absolute path). */
  mayWrite(file: string): boolean
  /** Whether a file (absolute path) holds what the agent wrote in this run. */
  isOwnFile(file: string): boolean
}

/** Whether a command line may be executed. */
export type Permission =
  /** `written`: absolute paths of what its redirections write. */
  | { readonly ok: true; readonly written: readonly string[] }
  /** `rule`: the line of `allow` that would permit it, where one can. */
  | { readonly ok: false; readonly message: string; readonly rule?: string }

/** Judges a command line. Never throws. */
export function permit(line: string, { allow }: PermitOptions): Permission {
  const isPlain = !/[;&|<>$`(){}\n\\*?[\]~#!]/.test(line) && splitWords(line) !== undefined
  const rules = allow.flatMap((rule) => /^Bash\((.*)\)$/s.exec(rule)?.[1] ?? [])
  const isAllowed = rules.some((rule) =>
    rule.endsWith(' *') ? `${line} `.startsWith(rule.slice(0, -1)) : rule === line,
  )
  if (isPlain && isAllowed) return { ok: true, written: [] }
  const known = allow.length === 0 ? 'none' : allow.map((rule) => `\`${rule}\``).join(', ')
  return { ok: false, message: `no rule allows \`${line}\`. Rules: ${known}.`, rule: `Bash(${line})` }
}
