import type { Root, RootContent } from 'mdast'
import { parse } from 'yaml'
import { isNearly } from '../../system/text/did-you-mean.ts'
import { hideIn } from '../markdown/hidden-text.ts'
import { inlineText } from '../markdown/positions-and-placeholders.ts'
import { keys } from './front-matter-keys.ts'

const rule = /^[ \t>]*(?:[-–—]{1,}|\+{3,})(?:[ \t]*ya?ml)?[ \t]*$/
const keyLine = /^[ \t>]*["']?([A-Za-z][\w-]*)["']?\s*[:=](?:\s|$)/
/** Matches lines that can be between keys: comments, list items, continued values. */
const moreYaml = /^[ \t>]*(?:$|#|-[ \t]+\S|[\]}])|^[ \t]+\S/
const names = Object.keys(keys)

/** The first line that looks like front matter but is read as text; `undefined` if there is none. */
export function misplacedFrontMatter(text: string, root: Root): number | undefined {
  const lines = hideIn(text, root.children, { types: ['yaml', 'code', 'inlineCode', 'comment'] }).split('\n')
  const first = lines.findIndex((line) => line.trim() !== '')
  const found = lines.findIndex((line, index) => {
    const isRule = rule.test(line)
    // Without a line `---` above, `title: x` looks like front matter only in the first line of text.
    if (!isRule && index !== first) return false
    const from = isRule ? index + 1 : index
    const length = lines.slice(from).findIndex((each) => !keyLine.test(each) && !moreYaml.test(each))
    const body = lines.slice(from, length === -1 ? undefined : from + length)
    const isTop = isRule && index === first && keyLine.test(body[0] ?? '')
    const given = body.flatMap((each) => keyLine.exec(each)?.[1] ?? [])
    return (
      isTop ||
      given.some((name) => names.includes(name) || (name.length > 3 && names.some((each) => isNearly(name, each))))
    )
  })
  return found === -1 ? settingsIn(text, root) : found + 1
}

/** The line of the first text, if this text has only front matter keys, for example in a table. */
function settingsIn(text: string, { children }: Root): number | undefined {
  const isAbove = (node: RootContent): boolean =>
    (node.type === 'heading' && node.depth === 1) || ['html', 'definition', 'thematicBreak'].includes(node.type)
  const isSetting = (node: RootContent): boolean =>
    keysOf(node, text).some((given) => given.length > 0 && given.every((name) => names.includes(name)))
  const found = children.find((node, index) => children.slice(0, index).every(isAbove) && isSetting(node))
  return found?.position?.start.line
}

/** Matches a tag of HTML, but no comment. */
const tags = /<\/?[a-zA-Z][^>]*>/

function nameIn(cell: string): string {
  return keyLine.exec(cell)?.[1] ?? cell.trim()
}

/** Keys in the first row of a table, unless it has several rows, or below that row in the first column. */
function keysInRows([head = [], ...rows]: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [rows.length < 2 ? head : [], rows.map(([first = '']) => first)]
}

const marks = /\*\*|__|`|<!--|-->/g

/** Possible keys of a node, one list for each reading: keys can be in the first row or first column of a table. */
function keysOf(node: RootContent, text: string): readonly (readonly string[])[] {
  if (node.type === 'table')
    return keysInRows(node.children.map(({ children }) => children.map((cell) => nameIn(inlineText(cell)))))
  if (node.type === 'html' && tags.test(node.value)) {
    const cellsIn = (html: string): readonly string[] => html.split(tags).flatMap((each) => each.trim() || [])
    const [, ...rows] = node.value.split(/<(?:tr|dl)\b[^>]*>/).map((row) => cellsIn(row).map(nameIn))
    if (rows.length > 0) return [...keysInRows(rows), rows.map(([first = '']) => first)]
    const [first = ''] = cellsIn(node.value)
    return keyLine.test(first) ? [[nameIn(first)]] : []
  }
  if (node.type === 'yaml' || (node.type === 'code' && !/^(?:ya?ml|json)?$/.test(node.lang ?? ''))) return []
  // `# title: x` is a heading. But `title: x` above a line `---` is front matter that became a heading by mistake.
  if (node.type === 'heading' && text.startsWith('#', node.position?.start.offset)) return []
  const own =
    node.type === 'heading' ? inlineText(node) : text.slice(node.position?.start.offset, node.position?.end.offset)
  const yaml = node.type === 'code' ? node.value : own.replace(marks, '')
  try {
    const values: unknown = parse(yaml.replace(/^---$/gm, ''), { logLevel: 'silent' })
    const items: readonly unknown[] = Array.isArray(values) ? values : [values]
    return [items.flatMap((item) => (typeof item === 'object' && item !== null ? Object.keys(item) : ['']))]
  } catch {
    return [] // not YAML
  }
}
