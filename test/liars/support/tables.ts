import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ScenarioEvidence } from '../../../src/verdict/verdict.ts'
import { caughtAt, judge, type RuleRow } from './rules.ts'
import type { Kind, Scene } from './scene.ts'

type Row = readonly string[]

/** A table of the document, by its name there. */
export interface Table {
  readonly name: string
  readonly head: Row
  readonly rows: readonly Row[]
}

/** Every agent of a kind, and what became of it. Those that no rule sees have a column more. */
export function agentTable(kind: Kind, judged: readonly (readonly [Scene, ScenarioEvidence])[]): Table {
  const head = ['agent', 'what', 'what it does', 'with `auto`', 'with `require`']
  const rows = judged
    .filter(([scene]) => scene.kind === kind)
    .map(([scene, evidence]) => {
      const verdicts = [judge(evidence), judge(evidence, { evidence: 'require' })].map((verdict) => `\`${verdict}\``)
      const caught = kind === 'unseen' ? [`\`${caughtAt(evidence)}\``] : []
      return [scene.name, whatIs(scene), scene.does, ...verdicts, ...caught]
    })
  return { name: kind, head: kind === 'unseen' ? [...head, 'fails with `minAssurance`'] : head, rows }
}

export function ruleTable(rules: readonly RuleRow[]): Table {
  const rows = rules.map(({ rule, with: other, agents }) => [
    other === undefined ? `\`${rule}\`` : `\`${rule}\` and \`${other}\``,
    agents.join(', '),
  ])
  return { name: 'rules', head: ['without the rule', 'these would pass'], rows }
}

export function toMarkdown({ head, rows }: Table): string {
  const line = (cells: Row): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const docs = fileURLToPath(new URL('../../../docs/trust.md', import.meta.url))

/** The rows of a table as the document has them. */
export function documentedRows(name: string): readonly Row[] {
  const [, , ...lines] = partOf(readFileSync(docs, 'utf8'), name).text.split('\n')
  return lines.map((line) => line.split(/ *\| */).slice(1, -1))
}

/** Puts what a run gave in the place of the table, to be formatted. */
export function writeDocument(table: Table): void {
  const text = readFileSync(docs, 'utf8')
  const { from, to } = partOf(text, table.name)
  writeFileSync(docs, `${text.slice(0, from)}\n\n${toMarkdown(table)}\n\n${text.slice(to)}`)
}

function partOf(text: string, name: string): { readonly from: number; readonly to: number; readonly text: string } {
  const opening = `<!-- table: ${name} -->`
  const from = text.indexOf(opening) + opening.length
  const to = text.indexOf('<!-- end -->', from)
  if (from < opening.length || to === -1) throw new Error(`docs/trust.md has no table \`${name}\`.`)
  return { from, to, text: text.slice(from, to).trim() }
}

function whatIs({ script, as }: Scene): string {
  if (script !== undefined) return as === 'claude' ? 'Claude Code' : 'Codex'
  return as === 'command' ? 'program' : `program named \`${as}\``
}
