import { parseJson } from '../../system/text/parse-json.ts'
import { plainLine } from '../../system/text/plain-text.ts'
import { plural } from '../../system/text/wording.ts'
import { isToldBy, withoutMarks } from '../shown-failure.ts'
import type { KeptFile, ReportedCall, ReportedStep, Said, StepFindings } from '../data/spec-record.ts'
import { toneWords } from '../outcome-tones.ts'
import { element, separated, type Child } from './element.ts'

interface SaidContext {
  readonly outcome: ReportedStep['outcome'] | undefined
  readonly images: ReportedStep['images']
  readonly told: readonly (string | undefined)[]
}

export function saidLines(said: Said, { outcome, images, told }: SaidContext): readonly Child[] {
  const { status, observed, evidence = [] } = said
  // The title already shows the verdict, so show what the agent reported only if it differs.
  const claim = status === undefined || status === outcome ? [] : [`reported as ${toneWords[status]}`]
  const words = [...claim, ...(observed === undefined || isToldBy(observed, told) ? [] : [withoutMarks(observed)])]
  const shown = new Set(images.map(({ name }) => name))
  const cited = evidence.flatMap((each) => {
    if (typeof each !== 'string') return isToldBy(each.quote, told) ? [] : [element('q', {}, withoutMarks(each.quote))]
    return shown.has(each.replace(/^\.\//, '')) ? [] : [element('code', {}, each)]
  })
  return [
    words.length > 0 ? element('p', { class: 'said' }, element('b', {}, 'Agent'), ' ', words.join(': ')) : undefined,
    cited.length > 0 ? element('p', { class: 'said' }, element('b', {}, 'Cites'), ' ', separated(cited)) : undefined,
  ]
}

type NameOf = (file: string) => string

/** Names files for people: `01-1-pay.png` gets the title of step `1-pay`, and `end.jpg` is “At the end”. */
export function namesFor(steps: readonly Pick<ReportedStep, 'anchor' | 'titles'>[]): NameOf {
  const titles = new Map(steps.map(({ anchor, titles: all }) => [anchor.replace(/^\d+\//, ''), all.at(-1) ?? '']))
  return (file) => {
    // Playwright writes one such log for each page.
    if (/^console-[\dTZ-]+\.log$/.test(file)) return 'console of a page'
    const [, stem = '', part] = /^(.*?)(?:\.(console|network))?\.\w+$/.exec(file) ?? []
    const title = stem === 'end' ? 'At the end' : titles.get(stem.replace(/^\d+-/, ''))
    if (title === undefined) return file
    if (part === undefined) return title
    return stem === 'end' ? `${part} at the end` : part
  }
}

export function imageList(images: ReportedStep['images'], nameOf: NameOf): Child {
  if (images.length === 0) return undefined
  const shots = images.map(({ name, path }) => {
    const title = nameOf(name)
    const picture = element('img', { src: path, alt: `Screenshot: ${title}`, loading: 'lazy' })
    return element('a', { class: 'shot', href: path, target: '_blank' }, picture, element('span', {}, title))
  })
  return element('div', { class: 'images' }, ...shots)
}

function folded(kind: string, title: string, ...content: readonly Child[]): HTMLDetailsElement {
  return element('details', { class: kind }, element('summary', {}, title), ...content)
}

export function findingList(findings: StepFindings | undefined, isOpen: boolean): Child {
  if (findings === undefined) return undefined
  const { consoleErrors, failedRequests } = findings
  const lines = [...consoleErrors.first, ...failedRequests.first]
  const left = consoleErrors.count + failedRequests.count - lines.length
  const title = describeFindings({ consoleErrors: consoleErrors.count, failedRequests: failedRequests.count })
  const statuses = failedRequests.count === 0 ? '' : ` (${failedRequests.statuses.join(', ')})`
  const items = lines.map((line) => element('li', {}, element('code', {}, plainLine(line))))
  const more = left > 0 ? element('li', {}, `and ${left} more`) : undefined
  const list = folded('findings', `${title.join(', ')}${statuses}`, element('ul', {}, ...items, more))
  list.open = isOpen
  return list
}

export function describeFindings(counts: Readonly<Record<keyof StepFindings, number>>): readonly string[] {
  const { consoleErrors, failedRequests } = counts
  return [
    ...(consoleErrors === 0 ? [] : [plural(consoleErrors, 'console error')]),
    ...(failedRequests === 0 ? [] : [`${plural(failedRequests, 'request')} failed`]),
  ]
}

export function fileList(files: readonly KeptFile[], nameOf: NameOf): Child {
  if (files.length === 0) return undefined
  const links = files.flatMap(({ title, path, bytes }): Child[] =>
    path === undefined
      ? [element('span', {}, `${nameOf(title)} (too large to be copied)`)]
      : [element('a', { href: path }, nameOf(title)), element('span', { class: 'place' }, formatBytes(bytes))],
  )
  return element('p', { class: 'files' }, separated(links))
}

function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

export function callList(calls: readonly ReportedCall[], title = plural(calls.length, 'tool call')): Child {
  return calls.length === 0 ? undefined : folded('calls', title, element('ol', {}, ...calls.map(callItem)))
}

export function foldedText(title: string, text: string): Child {
  return text === '' ? undefined : folded('narrative', title, element('pre', { tabindex: '0' }, text))
}

function callItem(call: ReportedCall): HTMLElement {
  const { at, kind, exitCode, denied } = call
  const isOfBrowser = kind === 'browser' || kind === 'mcp'
  const output = isOfBrowser ? shownOutput(call) : call.excerpt.trimEnd()
  return element(
    'li',
    {},
    separated([
      element('time', { datetime: at }, at.slice(11, 19)),
      element('span', { class: 'kind' }, kind),
      element('code', {}, plainLine(isOfBrowser ? shownTitle(call) : call.title)),
      denied && element('span', { class: 'note bad' }, 'refused'),
      exitCode !== undefined && element('span', { class: exitCode === 0 ? 'note' : 'note bad' }, `exit ${exitCode}`),
    ]),
    output === '' ? undefined : element('pre', { tabindex: '0' }, output),
  )
}

/** Output of a browser tool without marks and file paths. Of several page headers, only the last one stays. */
function shownOutput({ excerpt }: ReportedCall): string {
  return withoutMarks(excerpt)
    .replaceAll(/^### Page\n(?:- .*\n)*(?=### Page$)/gm, '')
    .replaceAll(/^- New console entries: .*\n?/gm, '')
    .replaceAll(/^### Events\n(?=###|$(?![^]))/gm, '')
    .trimEnd()
}

/** Shortens `browser_click {"element":"Apply","target":"e4"}` to `click Apply`. Other titles only lose their marks. */
function shownTitle({ title }: ReportedCall): string {
  const [, tool, json = ''] = /^(?:mcp__\w+?__)?(?:browser_)?(\w+) (\{.*\})$/s.exec(title) ?? []
  const input = tool === undefined ? undefined : parseJson(json)
  if (tool === undefined || typeof input !== 'object' || input === null) return withoutMarks(title)
  // The step already shows the contents of its report, so show only the status here.
  if (tool === 'report_step') return `report_step ${String(Reflect.get(input, 'status') ?? '')}`.trim()
  const { element: control, target: _target, ref: _ref, ...rest }: Readonly<Record<string, unknown>> = { ...input }
  const values = Object.entries(rest).flatMap(([name, value]) => shownValue(name, value))
  return [tool.replaceAll('_', ' '), ...(typeof control === 'string' ? [control] : []), ...values].join(' ')
}

function shownValue(name: string, value: unknown): readonly string[] {
  if (value === false || value === undefined || value === null) return []
  if (value === true) return [name]
  if (name === 'url' && typeof value === 'string') return [value]
  return [typeof value === 'string' ? `“${value}”` : `${name} ${JSON.stringify(value)}`]
}
