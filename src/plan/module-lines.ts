import { sourceMap, type SourceMap } from './source-map.ts'
import type { Place, Scenario, ScenarioGroup } from '../spec/spec.ts'

/** Generated code and its source map. */
export interface GeneratedModule {
  readonly code: string
  readonly map: SourceMap
}

/** Absolute path and text of a spec. */
interface SpecText {
  readonly file: string
  readonly text: string
}

/** An empty line of code for each line of a spec: what is generated for a line stands on that line. */
export function emptyLinesOf(text: string): string[] {
  return text.split('\n').map(() => '')
}

/** Adds code to a line, counted from 1. */
export function addCode(lines: string[], line: number, code: string): void {
  const index = Math.min(line, lines.length) - 1
  lines[index] = lines[index] ? `${lines[index]} ${code}` : code
}

/**
 * The module, whose line N is line N of the markdown.
 * @param at where one line stands for a place within it, counted from 1
 */
export function moduleOf(lines: readonly string[], source: SpecText, at?: Place): GeneratedModule {
  const columnOf = (line: number): number => (at?.line === line + 1 ? at.column - 1 : 0)
  const origins = lines.map((_, line) => ({ line, column: columnOf(line), length: 0 }))
  return { code: lines.join('\n'), map: sourceMap(source, origins) }
}

/**
 * A title as a string literal. Static collectors read the raw text between the quotes, so the quote is one
 * that the title does not contain, and only what would break the literal is escaped.
 */
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

/** What of the groups of a spec ends and begins where a scenario begins. */
interface GroupChange {
  /** The innermost first. */
  readonly closed: readonly ScenarioGroup[]
  /** The outermost first. */
  readonly opened: readonly ScenarioGroup[]
}

/** Follows the groups of scenarios through a spec, scenario by scenario. */
export class OpenGroups {
  #open: readonly ScenarioGroup[] = []

  /** The next scenario begins. */
  enter({ groups = [] }: Pick<Scenario, 'groups'>): GroupChange {
    const differs = groups.findIndex((group, index) => group.line !== this.#open[index]?.line)
    const kept = differs === -1 ? groups.length : differs
    const closed = this.#open.slice(kept).toReversed()
    this.#open = groups
    return { closed, opened: groups.slice(kept) }
  }

  /** All scenarios are over. */
  end(): readonly ScenarioGroup[] {
    return this.enter({}).closed
  }
}
