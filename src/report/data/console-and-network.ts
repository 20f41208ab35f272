import type { StepFindings } from './spec-record.ts'

type PageTraffic = Readonly<Partial<Record<'console' | 'network', string>>>

const maxKept = 50
const maxCharacters = 500

/** Reports each finding once. Playwright's server repeats all findings in each step and for each tab. */
export function createFindings(): (now: PageTraffic) => StepFindings | undefined {
  const consoleLines = createNews()
  const requestLines = createNews()
  return ({ console = '', network = '' }) => {
    const errors = consoleLines(console).flatMap(consoleError)
    const requests = requestLines(network).flatMap(failedRequest)
    if (errors.length + requests.length === 0) return undefined
    return {
      consoleErrors: { count: errors.length, first: kept(errors) },
      failedRequests: {
        count: requests.length,
        statuses: [...new Set(requests.map(({ status }) => status))].slice(0, maxKept),
        first: kept(requests.map(({ text }) => text)),
      },
    }
  }
}

function kept(lines: readonly string[]): string[] {
  return lines.slice(0, maxKept).map((line) => line.slice(0, maxCharacters))
}

/** Returns a function that finds new lines: lines that occur more often than in earlier lists. */
function createNews(): (text: string) => readonly string[] {
  const known = new Map<string, number>()
  return (text) => {
    const counts = new Map<string, number>()
    const lines = text.split('\n').map((line) => line.replace(/^\d+\. (?=\[)/, ''))
    return lines.filter((line) => {
      const count = (counts.get(line) ?? 0) + 1
      counts.set(line, count)
      if (count <= (known.get(line) ?? 0)) return false
      known.set(line, count)
      return true
    })
  }
}

function consoleError(line: string): readonly string[] {
  const message = /^\[ERROR\] (.*)$/.exec(line)?.[1] ?? uncaught.exec(line)?.[0]
  // Ignore a missing favicon, because browsers request it even if no page mentions it.
  if (message === undefined || /^Failed to load resource.*\/favicon\.ico(?::\d+)?$/.test(message)) return []
  return [message]
}

/** Matches an uncaught error. Its line has no level such as `[ERROR]`. */
const uncaught = /^(?:[A-Z]\w*)?Error\b.*$/

function failedRequest(line: string): readonly { readonly text: string; readonly status: string }[] {
  const [, method, address, status = '', words = ''] = /^\[(\w+)\] (.*) => \[(\w+)\] ?(.*)$/.exec(line) ?? []
  const isFailed = status === 'FAILED' || Number(status) >= 400
  // `net::ERR_ABORTED` is no failure: it also occurs if the page navigates away or saves a file.
  if (!isFailed || words === 'net::ERR_ABORTED') return []
  const what = status === 'FAILED' ? words.replace(/^net::/, '') : status
  return [{ text: `${method} ${address}: ${status === 'FAILED' ? what : `${status} ${words}`.trim()}`, status: what }]
}
