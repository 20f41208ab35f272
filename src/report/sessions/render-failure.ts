import type { Failure } from '../../commands/fix/session/test-results.ts'
import { plural } from '../../system/text/format-amounts.ts'
import { markup, type Html } from '../render/html.ts'

const maxOpen = 3
const maxListed = 5

/** Tests that fail, a line each; of few it can be seen how, of many one is an example, and what follows stays on the screen. */
export function renderFailures(failures: readonly Failure[]): Html {
  const open = failures.length > maxOpen ? 1 : maxOpen
  const lines = failures.map(
    (failure, index) =>
      markup`<li>${renderTest({ failure, title: renderTestName(failure), content: renderFailure(failure), isOpen: index < open })}</li>`,
  )
  const [shown, rest] = [lines.slice(0, maxListed), lines.slice(maxListed)]
  return markup`<ul class="checks">${shown}</ul>${
    rest.length === 0
      ? undefined
      : markup`<details><summary>${plural(rest.length, 'more test')}</summary><ul class="checks">${rest}</ul></details>`
  }`
}

interface TestParts {
  /** Absent where nothing is known of it. */
  readonly failure: Failure | undefined
  readonly title: Html
  readonly content: Html | undefined
  readonly isOpen: boolean
}

/** A test in one line, with what can be unfolded below. */
export function renderTest({ failure, title, content, isOpen }: TestParts): Html {
  const isKnown = failure !== undefined && (failure.message !== '' || failure.received !== undefined)
  if (!isKnown || content === undefined) return markup`<p>${title}</p>`
  if (isOpen) return markup`<details class="test" open><summary>${title}</summary>${content}</details>`
  return markup`<details class="test"><summary>${title}</summary>${content}</details>`
}

/** A test and where it stands. */
export function renderTestName({ key, name, file, line }: Pick<Failure, 'key' | 'name' | 'file' | 'line'>): Html {
  if (file === undefined) return markup`<code>${key}</code>`
  const place = line === undefined ? file : `${file}:${line}`
  return markup`<code>${name}</code> <span class="place">${place}</span>`
}

/**
 * What was expected and received; the message behind it, which mostly says the same at length.
 *
 * @param before how it failed earlier, where that is worth telling
 */
export function renderFailure({ message, expected, received }: Failure, before?: Failure): Html {
  const was = before?.received === received ? undefined : before?.received
  const rows = [
    ...(expected === undefined ? [] : [row('expected', expected, 'pass')]),
    ...(received === undefined ? [] : [row('received', received, 'fail')]),
    ...(was === undefined ? [] : [row('before', was, 'fail')]),
  ]
  const text = message === '' ? undefined : markup`<pre tabindex="0">${message}</pre>`
  if (rows.length === 0) return markup`${text}`
  return markup`<dl class="values">${rows}</dl>${text && markup`<details><summary>message</summary>${text}</details>`}`
}

function row(title: string, value: string, tone: string): Html {
  const isShort = value.length <= 200 && !value.includes('\n')
  const shown = isShort ? markup`<code>${value}</code>` : markup`<pre tabindex="0">${value}</pre>`
  return markup`<dt>${title}</dt><dd class="${tone}">${shown}</dd>`
}
