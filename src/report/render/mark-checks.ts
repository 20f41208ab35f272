import { element, startLineOf, text, type Tree, type TreeElement, type TreeNode } from './markdown-tree.ts'
import { outcomeWords } from './outcome-words.ts'
import type { ReportedCheck } from '../records/spec-record.ts'

/** Marks list items with what became of the checks that they are. Gives the checks that are marked. */
export function markChecks(tree: Tree, checks: readonly ReportedCheck[]): readonly ReportedCheck[] {
  const marked: ReportedCheck[] = []
  const visit = (node: TreeNode): void => {
    if (node.type !== 'element') return
    // A check of a table's section was judged once for each row.
    const [check, ...others] = node.tagName === 'li' ? checks.filter(({ line }) => line === startLineOf(node)) : []
    if (check && others.length === 0) {
      mark(node, check)
      marked.push(check)
    }
    for (const child of node.children) visit(child)
  }
  for (const node of tree.children) visit(node)
  return marked
}

function mark(item: TreeElement, { status, observed, evidence = [] }: ReportedCheck): void {
  const label = element('span', ['label', status ?? 'unknown'], [text(status ? outcomeWords[status] : 'not reported')])
  item.children.unshift(label, text(' '))
  const quotes = evidence.flatMap((each) => (typeof each === 'string' ? [] : [element('q', [], [text(each.quote)])]))
  if (observed === undefined && quotes.length === 0) return
  const said = [text(observed ?? ''), ...quotes.flatMap((quote) => [text(' '), quote])]
  item.children.push(element('span', ['said'], said))
}
