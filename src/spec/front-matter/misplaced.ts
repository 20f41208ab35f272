import type { Root } from 'mdast'
import { closestName } from '../../system/text/did-you-mean.ts'
import { hideIn } from '../markdown/hidden-text.ts'
import { keys } from './read-front-matter.ts'

const rule = /^[ \t>]*(?:[-–—]{1,}|\+{3,})(?:[ \t]*ya?ml)?[ \t]*$/
const keyLine = /^[ \t>]*["']?([A-Za-z][\w-]*)["']?\s*[:=](?:\s|$)/
/** Lines that may stand between keys: comments, list items, continued values. */
const moreYaml = /^[ \t>]*(?:$|#|-[ \t]+\S|[\]}])|^[ \t]+\S/
const names = Object.keys(keys)

/** The line of text that looks like front matter but is not read as such; `undefined` if there is none. */
export function misplacedFrontMatter(text: string, root: Root): number | undefined {
  const lines = hideIn(text, root.children, { types: ['yaml', 'code', 'inlineCode', 'comment'] }).split('\n')
  const first = lines.findIndex((line) => line.trim() !== '')
  const found = lines.findIndex((line, index) => {
    const isRule = rule.test(line)
    // Keys without a line `---` above them count only at the top.
    if (!isRule && index !== first) return false
    const from = isRule ? index + 1 : index
    const length = lines.slice(from).findIndex((each) => !keyLine.test(each) && !moreYaml.test(each))
    const body = lines.slice(from, length === -1 ? undefined : from + length)
    const isTop = isRule && index === first && keyLine.test(body[0] ?? '')
    const given = body.flatMap((each) => keyLine.exec(each)?.[1] ?? [])
    return isTop || given.some((name) => names.includes(name) || (name.length > 3 && closestName(name, names)))
  })
  return found === -1 ? undefined : found + 1
}
