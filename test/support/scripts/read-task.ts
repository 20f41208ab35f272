export interface TaskStep {
  readonly id: string
  readonly title: string
  /** How many `- [ ]` items it has. */
  readonly checks: number
  /** What stands for `{{name}}` and `<name>` in its section, by name. */
  readonly values?: Readonly<Record<string, string>>
}

/** What a scripted model understood of the prompt. */
export interface Task {
  readonly specFile: string
  /** Files that the spec includes, in the order of their steps. */
  readonly includedFiles: readonly string[]
  readonly logFile: string
  readonly runId: string
  /** For files of its own, where it acts by mdtest's tools. */
  readonly scratchDir?: string
  readonly steps: readonly TaskStep[]
  readonly hasSetup: boolean
  readonly hasTeardown: boolean
}

/** The task a prompt gives, or `undefined` where it gives none. */
export function readTask(prompt: string): Task | undefined {
  const specFile = /^Specification: (.+)$/m.exec(prompt)?.[1]
  const logFile = /^Result log: (.+)$/m.exec(prompt)?.[1]
  if (specFile === undefined || logFile === undefined) return undefined
  const scratchDir = /Files of your own go to (.+)\.$/m.exec(prompt)?.[1]
  return {
    specFile,
    includedFiles: [...prompt.matchAll(/^Included: (.+)$/gm)].map(([, file = '']) => file),
    logFile,
    runId: /^Run id: (.+)$/m.exec(prompt)?.[1] ?? '',
    ...(scratchDir !== undefined && { scratchDir }),
    steps: readSteps(prompt),
    hasSetup: /prose of (?:the|all) setup section/.test(prompt),
    hasTeardown: /prose of (?:the|all) teardown section/.test(prompt),
  }
}

/** The steps that a prompt lists. */
export function readSteps(prompt: string): readonly TaskStep[] {
  const list = /^Steps, in this order:\n((?:(?:- | {2}- check ).+\n?)*)/m.exec(prompt)?.[1] ?? ''
  return [...list.matchAll(/^- (\S+): (.+?)(, with .+?)?(?: \((\d+) checks?\))?$/gm)].map(
    ([, id = '', title = '', values, checks = '0']): TaskStep => ({
      id,
      title,
      checks: Number(checks),
      ...(values !== undefined && { values: readValues(values) }),
    }),
  )
}

function readValues(text: string): Readonly<Record<string, string>> {
  const pairs = text.matchAll(/(?:, with |, )(.+?) = ("(?:[^"\\]|\\.)*")/g)
  return Object.fromEntries([...pairs].map(([, name = '', value = '""']) => [name, String(JSON.parse(value))]))
}
