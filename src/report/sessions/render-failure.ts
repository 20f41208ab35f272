import type { Failure } from '../../fix/test-results.ts'
import { markup, type Html } from '../html.ts'

/** How tests failed. */
export function renderFailures(failures: readonly Failure[]): Html {
  return markup`${failures.map(
    (failure) => markup`<div class="reason fail"><p>${renderTestName(failure)}</p>${renderFailure(failure)}</div>`,
  )}`
}

/** A test and where it stands. */
export function renderTestName({ key, name, file, line }: Pick<Failure, 'key' | 'name' | 'file' | 'line'>): Html {
  if (file === undefined) return markup`<code>${key}</code>`
  const place = line === undefined ? file : `${file}:${line}`
  return markup`<code>${name}</code> <span class="place">${place}</span>`
}

/** What was expected and received, and the message. `before`: how it failed earlier, where that is worth telling. */
export function renderFailure({ message, expected, received }: Failure, before?: Failure): Html {
  const was = before?.received === received ? undefined : before?.received
  const rows = [
    ...(expected === undefined ? [] : [row('expected', expected, 'pass')]),
    ...(received === undefined ? [] : [row('received', received, 'fail')]),
    ...(was === undefined ? [] : [row('before', was, 'fail')]),
  ]
  const values = rows.length === 0 ? undefined : markup`<dl class="values">${rows}</dl>`
  return markup`${values}${message === '' ? undefined : markup`<pre tabindex="0">${message}</pre>`}`
}

function row(title: string, value: string, tone: string): Html {
  const isShort = value.length <= 200 && !value.includes('\n')
  const shown = isShort ? markup`<code>${value}</code>` : markup`<pre tabindex="0">${value}</pre>`
  return markup`<dt>${title}</dt><dd class="${tone}">${shown}</dd>`
}
