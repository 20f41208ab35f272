import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ScenarioEvidence } from '../../../src/verdict/verdict.ts'
import { caughtAt, judge, type RuleRow } from './rules.ts'
import type { Kind, Scene } from './scene.ts'

/** Of the honest ones there is nothing to warn of. */
type ListedKind = Exclude<Kind, 'honest' | 'by-mdtest'>
type Judged = readonly (readonly [Scene, ScenarioEvidence])[]

/** What a page of `docs/` says of the agents of one kind, between `<!-- agents: KIND -->` and `<!-- end -->`. */
export interface Listing {
  readonly kind: ListedKind | 'repeated' | 'repeated-honest' | 'by-executor' | 'lies-by-executor' | 'acp'
  readonly page: string
  readonly markdown: string
}

const pages: Readonly<Record<ListedKind, string>> = { dishonest: 'liars.md', unseen: 'trust.md' }

/** All agents of a kind, and what became of them. Those that pass without one of the rules are in bold. */
export function listAgents(kind: ListedKind, judged: Judged, rules: readonly RuleRow[]): Listing {
  const group = judged.filter(([scene]) => scene.kind === kind)
  const markdown = kind === 'unseen' ? itemsOf(group) : groupsOf(group, new Set(rules.flatMap(({ agents }) => agents)))
  return { kind, page: pages[kind], markdown }
}

function itemsOf(judged: Judged): string {
  const items = judged.map(([scene, evidence]) => {
    const caught = caughtAt(evidence)
    const remedy = caught === 'never' ? 'nothing stops it' : `${code(caught)} stops it`
    return wrap(`- ${scene.name} (${programOf(scene)}): ${scene.does} ${code(judge(evidence))}; ${remedy}.`)
  })
  return items.join('\n')
}

function groupsOf(judged: Judged, heldByOneRule: ReadonlySet<string>): string {
  const verdicts = [...new Set(judged.map(([, evidence]) => judge(evidence)))].toSorted()
  const groups = verdicts.map((verdict) => {
    const scenes = judged.filter(([, evidence]) => judge(evidence) === verdict).map(([scene]) => scene)
    const items = scenes.map((scene) => {
      const name = heldByOneRule.has(scene.name) ? `**${scene.name}**` : scene.name
      return wrap(`- ${name} (${programOf(scene)}): ${scene.does}`)
    })
    return `### ${code(verdict)}\n\n${items.join('\n')}`
  })
  return groups.join('\n\n')
}

/** What the page has in that place, and what belongs there, white space aside. */
export function compareWithPage({ kind, page, markdown }: Listing): {
  readonly actual: string
  readonly wanted: string
} {
  const { from, to, text } = placeOf(kind, page)
  return { actual: plain(text.slice(from, to)), wanted: plain(markdown) }
}

/** What became of lies that are told in several ways, in a table: the codes of each, or how it passed. */
export function tabulate(
  told: readonly { readonly lie: string; readonly way: string; readonly verdict: string }[],
): Listing {
  const ways = [...new Set(told.map(({ way }) => way))]
  const rows = [...new Set(told.map(({ lie }) => lie))].map((lie) => {
    const cells = ways.map((way) => {
      const verdicts = told.filter((one) => one.lie === lie && one.way === way).map(({ verdict }) => verdict)
      return [...new Set(verdicts)].map(codeOf).join(', ')
    })
    return [lie, ...cells]
  })
  return tableOf('lies-by-executor', [['lie', ...ways], ...rows])
}

/** A verdict as a cell of the table has it: without `fail` and `blocked`. */
export function codeOf(verdict: string): string {
  return code(verdict.replace(/^(?:fail|blocked) /, ''))
}

/** The cell of that table for one lie, told in one way. */
export function lieOnPage(lie: string, way: string): string {
  const { from, to, text } = placeOf('lies-by-executor', 'trust.md')
  const [head, ...rows] = text
    .slice(from, to)
    .trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()))
  return rows.find(([, name]) => name === lie)?.[head?.indexOf(way) ?? 0] ?? ''
}

function tableOf(kind: 'acp' | 'lies-by-executor', [head = [], ...rows]: readonly (readonly string[])[]): Listing {
  const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`)
  return { kind, page: 'trust.md', markdown: lines.join('\n') }
}

/** What became of the same scripts with several agents, and where a verdict is another one than Claude Code and codex get. */
export function tabulateAgents(
  agents: readonly {
    readonly title: string
    readonly honest: string
    readonly dishonest: string
    readonly others: readonly (readonly [name: string, verdict: string])[]
  }[],
): Listing {
  const cells = agents.map(({ honest, dishonest, others }) => [
    honest,
    dishonest,
    others.length === 0 ? 'none' : others.map(([name, verdict]) => `${name}: ${code(verdict)}`).join(', '),
  ])
  const rows = [...new Set(cells.map((row) => row.join(' | ')))].map((row) => [
    agents.flatMap(({ title }, index) => (cells[index]?.join(' | ') === row ? [title] : [])).join(', '),
    row,
  ])
  return tableOf('acp', [['agents', 'honest, passing', 'dishonest, not passing', 'other verdicts'], ...rows])
}

/** What became of agents, by verdict or by the code of what does not hold. Honest ones that fail are counted. */
export function listOutcomes(
  kind: 'repeated' | 'repeated-honest' | 'by-executor',
  results: readonly (readonly [name: string, why: string])[],
): Listing {
  const codes = [...new Set(results.map(([, why]) => why))].toSorted()
  const items = codes.map((why) => {
    const names = results.flatMap(([name, other]) => (other === why ? [name] : []))
    const isNamed = kind !== 'repeated-honest' || why === 'holds'
    return wrap(`- ${code(why)}, ${names.length}${isNamed ? `: ${names.join(', ')}` : ''}.`)
  })
  return { kind, page: 'trust.md', markdown: items.join('\n') }
}

/** Names of agents that a page has behind a verdict or code. */
export function listedIn({ kind, page }: Pick<Listing, 'kind' | 'page'>, verdict: string): readonly string[] {
  const { from, to, text } = placeOf(kind, page)
  const listed = plain(text.slice(from, to))
  const start = listed.indexOf(code(verdict))
  return start === -1
    ? []
    : (listed
        .slice(start)
        .split(/[.#] ?(?=- `|###|$)/, 1)[0]
        ?.match(/[a-z]+(?:-[a-z]+)+/g) ?? [])
}

/** The verdict that a page has for a dishonest agent, or for one whose lie leaves no trace; `pass` for an honest one. */
export function verdictOnPage({ kind, name }: Pick<Scene, 'kind' | 'name'>): string {
  if (kind !== 'dishonest' && kind !== 'unseen') return 'pass'
  const { from, to, text } = placeOf(kind, pages[kind])
  const listed = plain(text.slice(from, to))
  const item = listed.search(new RegExp(`- (\\*\\*)?${name}\\b`))
  const verdict =
    kind === 'dishonest' ? listed.slice(0, item).split('### `').at(-1) : listed.slice(item).split('. `')[1]
  return verdict?.split('`')[0] ?? 'none'
}

/** Puts what a run gave into its page, to be formatted. */
export function writeIntoPage({ kind, page, markdown }: Listing): void {
  const { from, to, text } = placeOf(kind, page)
  writeFileSync(pathOf(page), `${text.slice(0, from)}\n\n${markdown}\n\n${text.slice(to)}`)
}

function placeOf(
  kind: Listing['kind'],
  page: string,
): { readonly from: number; readonly to: number; readonly text: string } {
  const text = readFileSync(pathOf(page), 'utf8')
  const opening = `<!-- agents: ${kind} -->`
  const from = text.indexOf(opening) + opening.length
  const to = text.indexOf('<!-- end -->', from)
  if (from < opening.length || to === -1) throw new Error(`docs/${page} has no place for agents that are ${kind}.`)
  return { from, to, text }
}

function pathOf(page: string): string {
  return join(fileURLToPath(new URL('../../../docs', import.meta.url)), page)
}

/** `claude` and `codex` are the real programs, `as claude` is a script of that name. */
function programOf({ script, as }: Scene): string {
  if (script !== undefined) return as
  return as === 'command' ? 'program' : `as ${as}`
}

function code(text: string): string {
  return `\`${text}\``
}

/** Breaks an item of a list at blanks into lines of at most 120 characters. */
function wrap(item: string): string {
  return item.replaceAll(/(.{1,118})(?: +|$)/g, '$1\n  ').trimEnd()
}

/** Without what formatting changes. */
function plain(markdown: string): string {
  return markdown.replaceAll(/\s+/g, ' ').replaceAll(/-{3,}/g, '---').trim()
}
