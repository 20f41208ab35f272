import { resolve } from 'node:path'
import { realPathOf } from '../../system/files/ground.ts'
import { isInside } from '../../system/files/is-inside.ts'
import type { FileFacts, LineFiles } from './line-files.ts'
import type { Scope, Values } from './line/scope.ts'
import type { Given } from './line/words.ts'
import { literalWords, type Rule } from './rules.ts'

export interface PermitOptions extends FileFacts {
  /** Rules as Claude Code's: `Bash`, `Bash(npm *)`, `Bash(npm run test:*)`, `Bash(git status)`. Others say nothing here. */
  readonly allow: readonly string[]
  /** Every command is allowed, as by the rule `Bash`; what a rule has to name stays refused. */
  readonly dangerouslyAllowAllActions: boolean
  /** Absolute path of the shell's directory now. */
  readonly cwd: string
  /** Absolute paths that commands may look at without a rule. */
  readonly roots: readonly string[]
  /**
   * Values of variables of the shell that the line may use in paths. A line cannot set them.
   * @default {}
   */
  readonly variables?: Readonly<Record<string, string>>
}

export interface Refusal {
  /** One or two sentences: what, why, way out. */
  readonly message: string
  /** The line of `allow` that would permit it, where one can. */
  readonly rule?: string
}

/** What is the same for a whole line. */
export interface Judging {
  readonly options: PermitOptions
  readonly rules: readonly Rule[]
  /** The rule that stands for the whole line to the letter. */
  readonly whole?: Rule
  /** The first one counts. */
  readonly refuse: (message: string, rule?: string) => void
  readonly files: LineFiles
}

/** A place in the line. */
export interface Place {
  readonly judging: Judging
  readonly scope: Scope
}

/** A simple command under judgement, and the rules that match it. */
export interface Judged extends Place {
  readonly matching: readonly Rule[]
  /** Whether a rule stands for it to the letter. */
  readonly isExact: boolean
  /** As it stands in the line, shortened, for messages. */
  readonly shown: string
  /** Whether its standard input is a file of the product, or nothing that could be code. */
  readonly hasInput: () => boolean
}

/** Whether a matching rule holds these words to the letter. */
export function isNamed(
  { matching, isExact }: Pick<Judged, 'matching' | 'isExact'>,
  ...words: readonly string[]
): boolean {
  return (
    isExact ||
    matching.some((rule) => {
      const named = literalWords(rule)
      return words.every((word) => named.includes(word))
    })
  )
}

/** Of longer ones no system knows. */
const maxPathCharacters = 4096

/** Every absolute path that a word may stand for; `undefined` where nobody can know. */
export function pathsOf({ value }: Pick<Given, 'value'>, { cwds }: Scope): readonly string[] | undefined {
  if (value === undefined || value.length > maxPathCharacters) return undefined
  if (value.startsWith('/')) return [resolve(value)]
  return cwds?.map((cwd) => resolve(cwd, value))
}

/** The same for each text that something may be. */
export function pathsOfValues(values: Values, scope: Scope): readonly string[] | undefined {
  const all = values?.map((value) => pathsOf({ value }, scope))
  return all?.every((paths) => paths !== undefined) === true ? all.flat() : undefined
}

/** Whether a path is in one of the folders of the scenario, wherever links lead. */
export function isInRoots(path: string, { roots }: PermitOptions): boolean {
  const real = realPathOf(path)
  return roots.some((root) => isInside(real, realPathOf(root)))
}

/** Paths that every process has, and that lead nowhere. */
export function isHarmlessDevice(path: string): boolean {
  return /^\/dev\/(?:null|zero|stdin|stdout|stderr)$/.test(path)
}

/** A text for a message, on one line and not too long. */
export function show(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return `\`${line.length > 80 ? `${line.slice(0, 79)}…` : line}\``
}
