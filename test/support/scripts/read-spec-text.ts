import type { Task, TaskStep } from './read-task.ts'

/** A sentence of the prose that a scripted model can act on. `check` is the number of the `- [ ]` item it stands in. */
export type Instruction =
  | { readonly kind: 'run'; readonly command: string; readonly check?: number }
  | { readonly kind: 'expect'; readonly text: string; readonly isAbsent: boolean; readonly check?: number }
  | { readonly kind: 'expect-exit'; readonly exitCode: number; readonly check?: number }

export interface SpecSection {
  /** Absent for setup and teardown. */
  readonly id?: string
  readonly instructions: readonly Instruction[]
  /** Texts of the `- [ ]` items. */
  readonly checks: readonly string[]
}

/** The sections of a spec that the task asks for, in the order they are carried out. */
export function readSpecText(text: string, task: Task): readonly SpecSection[] {
  const sections = splitSections(withoutFences(text))
  const setup = task.hasSetup ? sections.filter(({ title }) => /^(setup|before)$/i.test(title)) : []
  const teardown = task.hasTeardown ? sections.filter(({ title }) => /^(teardown|after)$/i.test(title)) : []
  let from = 0
  const steps = task.steps.map(({ id, title, values }) => {
    const found = sections.findIndex((section, index) => index >= from && section.title === plain(title))
    // A spec without headings is one step that has the name of the file.
    const body = found >= 0 ? sections[found]?.body : task.steps.length === 1 ? text : ''
    // The next row of a table has the same section.
    if (found >= 0) from = values === undefined ? found + 1 : found
    return { id, ...readInstructions(fill(withoutFences(body ?? ''), values)) }
  })
  return [
    ...setup.map(({ body }) => readInstructions(body)),
    ...steps,
    ...teardown.map(({ body }) => readInstructions(body)),
  ]
}

function fill(text: string, values: TaskStep['values'] = {}): string {
  return Object.entries(values).reduce(
    (filled, [name, value]) => filled.replaceAll(`{{${name}}}`, value).replaceAll(`<${name}>`, value),
    text,
  )
}

function splitSections(text: string): { readonly title: string; readonly body: string }[] {
  return text
    .split(/^(?=#{1,6} )/m)
    .filter((section) => section.startsWith('#'))
    .map((section) => {
      const [heading = '', ...body] = section.split('\n')
      return { title: plain(heading.replace(/^#+ /, '')), body: body.join('\n') }
    })
}

/** @param checkOf what an item is to be checked for, where it is */
export function readInstructions(body: string, checkOf = taskItem): Omit<SpecSection, 'id'> {
  const instructions: Instruction[] = []
  const checks: string[] = []
  for (const line of body.split('\n')) {
    const text = checkOf(line)
    if (text !== undefined) checks.push(text)
    const check = text !== undefined ? { check: checks.length } : {}
    for (const match of line.matchAll(sentence)) {
      const { command, absent, words, code, exit } = match.groups ?? {}
      const printed = words ?? code
      if (command !== undefined) instructions.push({ kind: 'run', command, ...check })
      if (printed !== undefined)
        instructions.push({ kind: 'expect', text: printed, isAbsent: absent !== undefined, ...check })
      if (exit !== undefined) instructions.push({ kind: 'expect-exit', exitCode: Number(exit), ...check })
    }
  }
  return { instructions, checks }
}

function taskItem(line: string): string | undefined {
  return /^\s*- \[ \] (.+)$/.exec(line)?.[1]
}

const sentence =
  /\brun `(?<command>[^`]+)`|\bit (?:prints|(?<absent>does not print)) (?:"(?<words>[^"]+)"|`(?<code>[^`]+)`)|\bit exits with (?<exit>\d+)/gi

function withoutFences(text: string): string {
  return text.replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[`~]*\s*$/gm, '')
}

function plain(title: string): string {
  return title.replace(/[`*_]/g, '').replace(/\s+/g, ' ').trim()
}
