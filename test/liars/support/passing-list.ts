import { readFileSync, writeFileSync } from 'node:fs'
import type { ScenarioEvidence } from '../../../src/verdict/verdict.ts'
import { caughtAt, judge } from './rules.ts'
import type { Scene } from './scene.ts'

const page = new URL('../../../docs/trust.md', import.meta.url)
const [opening, closing] = ['<!-- agents: unseen -->', '<!-- end -->']

/** What `docs/trust.md` has to say of agents that lie and pass: a list, with what stops each. */
export function listPassing(judged: readonly (readonly [Scene, ScenarioEvidence])[]): string {
  const items = judged.map(([scene, evidence]) => {
    const caught = caughtAt(scene, evidence)
    const remedy = caught === 'never' ? 'nothing stops it' : `\`${caught}\` stops it`
    return `- ${scene.name}: ${scene.does} \`${judge(evidence)}\`; ${remedy}.`
  })
  return items.map((item) => item.replaceAll(/(.{1,118})(?: +|$)/g, '$1\n  ').trimEnd()).join('\n')
}

/** What the page has in that place, white space aside. `MDTEST_UPDATE_TRUST=1` writes the list into it first. */
export function listOnPage(list: string): string {
  let text = readFileSync(page, 'utf8')
  const from = text.indexOf(opening) + opening.length
  const to = text.indexOf(closing, from)
  if (process.env.MDTEST_UPDATE_TRUST === '1') {
    writeFileSync(page, `${text.slice(0, from)}\n\n${list}\n\n${text.slice(to)}`)
    text = readFileSync(page, 'utf8')
  }
  return plain(text.slice(from, text.indexOf(closing, from)))
}

export function plain(markdown: string): string {
  return markdown.replaceAll(/\s+/g, ' ').trim()
}
