import type { Group, Headed, Place, Scenario, Spec, Step } from '../spec/spec.ts'
import { relative } from 'node:path'
import { formatProblems } from '../spec/problems.ts'
import type { PlannedSpec } from './plan-spec.ts'

export interface GeneratedModule {
  readonly code: string
  readonly map: SourceMap
}

interface SpecText {
  readonly file: string
  readonly text: string
}

/** Returns an empty line for each line of the spec: generated code must be on the same line as its source. */
function emptyLinesOf(text: string): string[] {
  return text.split('\n').map(() => '')
}

function addCode(lines: string[], line: number, code: string): void {
  if (code === '') return
  const index = Math.min(line, lines.length) - 1
  lines[index] = lines[index] ? `${lines[index]} ${code}` : code
}

/** Maps each line to its beginning in the spec, except the line of `at`, which is mapped to the column of `at`. */
function moduleOf(lines: readonly string[], source: SpecText, at?: Place): GeneratedModule {
  const columnOf = (line: number): number => (at?.line === line + 1 ? at.column - 1 : 0)
  const origins = lines.map((_, line) => ({ line, column: columnOf(line), length: 0 }))
  return { code: lines.join('\n'), map: sourceMap(source, origins) }
}

/** Escapes as little as possible, because tools that list tests without running them read the raw text. */
export function quoteTitle(title: string): string {
  const quote = ['"', "'", '`'].find((mark) => !title.includes(mark) && !(mark === '`' && title.includes('${'))) ?? '"'
  const escaped = title
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replaceAll(
      /[\p{Cc}\u2028\u2029]/gu,
      (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`,
    )
  return `${quote}${escaped}${quote}`
}

export interface ModuleWriter {
  /** Code for the module's first line. */
  readonly start: readonly string[]
  /** Code for the module's last line. */
  readonly end: string
  /** Opens a `describe`. `scenario` is absent for a group inside a scenario. */
  open(group: Pick<Group, 'title' | 'directives'>, scenario?: Scenario): string
  /** The call that defines the test of a step; empty if the step has no test. */
  step(step: Step, scenario: Scenario): string
  tearDown(scenario: Scenario): string
}

export function generateTests(
  { scenarios, file }: Pick<Spec, 'scenarios' | 'file'>,
  text: string,
  writer: ModuleWriter,
): GeneratedModule {
  const lines = emptyLinesOf(text)
  addCode(lines, 1, writer.start.join(' '))
  let open: readonly Headed[] = []
  const enter = (groups: readonly Headed[]): readonly Headed[] => {
    const differs = groups.findIndex((group, index) => group.line !== open[index]?.line)
    const kept = differs === -1 ? groups.length : differs
    for (const { endLine } of open.slice(kept).toReversed()) addCode(lines, endLine, '});')
    open = groups
    return groups.slice(kept)
  }
  for (const scenario of scenarios) {
    for (const group of enter(scenario.groups ?? []))
      addCode(lines, group.line, writer.open({ ...group, directives: {} }, scenario))
    addScenario(lines, scenario, writer)
  }
  enter([])
  addCode(lines, lines.length, writer.end)
  return moduleOf(lines, { file, text })
}

function addScenario(lines: string[], scenario: Scenario, writer: ModuleWriter): void {
  const tearDown = writer.tearDown(scenario)
  const start = scenario.hasDescribe ? `${writer.open(scenario, scenario)} ${tearDown}` : tearDown
  addCode(lines, scenario.line, start)
  const firstOwn = scenario.children.findIndex(({ file }) => file === undefined)
  for (const [index, topmost] of scenario.children.entries()) {
    // Steps of an included file have no line in this spec: put them before or after the spec's own steps.
    const outside = firstOwn !== -1 && index > firstOwn ? scenario.endLine : scenario.line
    const add = (node: Group | Step, line: number, code: string): void =>
      addCode(lines, node.file === undefined ? line : outside, code)
    const addChild = (child: Group | Step): void => {
      if (child.kind === 'step') return add(child, child.line, writer.step(child, scenario))
      add(child, child.line, writer.open(child))
      for (const grandchild of child.children) addChild(grandchild)
      add(child, child.endLine, '});')
    }
    addChild(topmost)
  }
  if (scenario.hasDescribe) addCode(lines, scenario.endLine, '});')
}

/** Generates a module that throws one error with all problems, at the place of the first problem of the spec. */
export function generateProblems(
  { problems, included }: Extract<PlannedSpec, { readonly ok: false }>,
  { file, root, text }: SpecText & { readonly root: string },
): GeneratedModule {
  const shown = formatProblems(problems, { text, included, root })
  const count = problems.length
  const report = count === 1 ? shown : `${relative(root, file)} has ${count} problems:\n${shown}`
  const lines = emptyLinesOf(text)
  const including = text.split('\n').findIndex((line) => line.startsWith('include:'))
  const place = problems.find((problem) => problem.file === file) ?? { line: Math.max(including, 0) + 1, column: 1 }
  addCode(lines, place.line, `throw Object.assign(new Error(${JSON.stringify(report)}), { name: "SpecError" });`)
  return moduleOf(lines, { file, text }, place)
}

/** The place that a generated line comes from. Lines and columns count from 0. */
export interface LineOrigin {
  readonly line: number
  readonly column: number
  /** Number of columns that are mapped one by one. If 0, the whole line is mapped to `column`. */
  readonly length: number
}

export interface SourceMap {
  readonly version: 3
  readonly sources: string[]
  readonly sourcesContent: string[]
  readonly names: string[]
  readonly mappings: string
}

export function sourceMap(source: SpecText, origins: readonly (LineOrigin | undefined)[]): SourceMap {
  let [line, column] = [0, 0]
  const mappings = origins.map((origin) => {
    if (origin === undefined) return ''
    const segments = Array.from({ length: origin.length + 1 }, (_, index) => {
      const next = origin.column + index
      // Generated column, source, line and column, each as the difference to the segment before.
      const segment = [index === 0 ? 0 : 1, 0, origin.line - line, next - column].map(toVlq).join('')
      line = origin.line
      column = next
      return segment
    })
    return segments.join(',')
  })
  return { version: 3, sources: [source.file], sourcesContent: [source.text], names: [], mappings: mappings.join(';') }
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Encodes a number for a source map: base64 digits of 5 bits, lowest first. The lowest bit is the sign. */
function toVlq(number: number): string {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1
  let text = ''
  do {
    const bits = rest & 0b11111
    rest >>>= 5
    text += digits[rest > 0 ? bits | 0b100000 : bits]
  } while (rest > 0)
  return text
}
