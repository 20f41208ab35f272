import { stringify } from 'yaml'
import { maxFrontMatterBytes, maxLogBytes, type ResultLog, type StepResult } from './result-log.ts'

/** Content of a result log. A field is absent until its value is known. */
export interface ResultLogContent extends Omit<ResultLog, 'written-by' | 'run' | 'scenario' | 'attempt' | 'steps'> {
  readonly run: string
  readonly scenario: string
  readonly attempt: number
  readonly steps: readonly StepResult[]
  readonly body: string
}

/** Formats a log. If the front matter is too large, its longest texts are shortened until it is small enough. */
export function formatResultLog({ body, steps, ...rest }: ResultLogContent): string {
  const frontMatter = { 'written-by': 'mdtest', ...rest, steps }
  let yaml = formatYaml(frontMatter, Number.POSITIVE_INFINITY)
  for (let limit = maxFrontMatterBytes / 4; limit >= 16 && Buffer.byteLength(yaml) > maxFrontMatterBytes; limit /= 2) {
    yaml = formatYaml(frontMatter, limit)
  }
  const head = `---\n${yaml}---\n`
  return `${head}${cutToBytes(body, maxLogBytes - Buffer.byteLength(head))}`
}

/** Keys whose values are never shortened, because a shortened value would mean something else. */
const keptWhole: ReadonlySet<unknown> = new Set([
  ...['written-by', 'status', 'run', 'executor', 'sandbox', 'outcome', 'id', 'code', 'model'],
])

/** Texts in lists can be file names, so texts up to the longest possible name are not shortened. */
const maxFileName = 255

function formatYaml(value: unknown, limit: number): string {
  const fitted = (key: unknown, item: unknown): unknown => {
    if (typeof item !== 'string' || keptWhole.has(key)) return item
    const isOfList = /^\d+$/.test(String(key))
    return shorten(item, isOfList ? Math.max(limit, maxFileName) : limit)
  }
  return stringify(value, fitted, {
    version: '1.2',
    schema: 'core',
    // Do not write anchors, because our parser refuses aliases.
    aliasDuplicateObjects: false,
    // Write each text on one line, so that no line can look like the closing `---`.
    blockQuote: false,
    lineWidth: 0,
    doubleQuotedAsJSON: true,
  })
}

function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '')}…`
}

function cutToBytes(text: string, limitBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= limitBytes) return text
  // `stream` drops an incomplete character at the end.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, limitBytes), { stream: true })
}
