import type { ToolAction } from '../../support/tool-dialect.ts'

/** What an acting model wants done. */
export type Wish = Extract<ToolAction, { readonly kind: 'command' | 'edit' | 'read' | 'write' }>

/** What a model does for a step; it gives back what it quotes. It wants some things at once, and gets their outputs. */
export type Acting<Result = readonly string[]> = Generator<readonly Wish[], Result, readonly string[]>

/** A piece of text in a file of the product, and what stands there instead. */
export interface Swap {
  readonly file: string
  readonly from: string
  readonly to: string
}

/** A small product, a spec for it, and an agent that carries the spec out. */
export interface RecordedScenario {
  /** Of the spec: `name.test.md`. */
  readonly name: string
  /** By path from the root of the project. */
  readonly files: Readonly<Record<string, string>>
  readonly spec: string
  /** By the title of the step; they get the values of a row, and `specDir`. */
  readonly acts: Readonly<Record<string, (values: Readonly<Record<string, string>>) => Acting>>
  /** A regression of the product. */
  readonly bug: Swap
  /** A change of the product that does no harm. */
  readonly harmless?: Swap
  /** The one agent that can do it: commands of codex write nowhere but in their directory. */
  readonly only?: 'claude'
  /** How a replay tells the regression. Default: `REPLAY_DIFFERS`. */
  readonly told?: string
}

export function* sh(command: string): Acting<string> {
  const [output = ''] = yield [{ kind: 'command', command }]
  return output.trimEnd()
}

export function* atOnce(...commands: readonly string[]): Acting {
  return yield commands.map((command) => ({ kind: 'command' as const, command }))
}

export function* write(file: string, content: string): Acting<void> {
  yield [{ kind: 'write', file, content }]
}

export function* look(file: string): Acting<string> {
  const [output = ''] = yield [{ kind: 'read', file }]
  return output.trimEnd()
}

/** Runs commands, and quotes all that the last one printed. */
export function runs(...commands: readonly string[]): () => Acting {
  return function* () {
    let output = ''
    for (const command of commands) output = yield* sh(command)
    return [output]
  }
}

/** Runs commands, and quotes the line of the last one that holds a text. */
export function shows(text: string, ...commands: readonly string[]): () => Acting {
  return function* () {
    let output = ''
    for (const command of commands) output = yield* sh(command)
    return [lineWith(output, text)]
  }
}

export function lineWith(output: string, text: string): string {
  return output.split('\n').find((line) => line.includes(text)) ?? output
}

/** Rules for whatever runs the products. */
export const allow = `allow: ['Bash(node *)', 'Bash(bash *)', 'Bash(python3 *)', 'Bash(make *)', 'Bash(curl *)']`

/** A spec with a heading for each step, and its prose. */
export function specOf(steps: Readonly<Record<string, string>>, frontMatter = ''): string {
  const sections = Object.entries(steps).map(([title, prose]) => `## ${title}\n\n${prose}\n`)
  return `---\ncwd: copy\n${allow}\nwrites: ['**']\n${frontMatter}---\n\n# Scenario\n\n${sections.join('\n')}`
}
