import { stringify } from 'yaml'
import { maxFrontMatterBytes, maxLogBytes, type ResultLog, type StepResult } from './result-log.ts'

/** What a result log is written from; what is absent is known only at the end, or never. */
export interface ResultLogContent extends Omit<ResultLog, 'written-by' | 'run' | 'scenario' | 'attempt' | 'steps'> {
  readonly run: string
  readonly scenario: string
  readonly attempt: number
  readonly steps: readonly StepResult[]
  readonly body: string
}

/** Shortens texts, the longest first, until the log is small enough to be read again. */
export function formatResultLog({ body, steps, ...rest }: ResultLogContent): string {
  const frontMatter = { 'written-by': 'mdtest', ...rest, steps }
  let yaml = formatYaml(frontMatter, Number.POSITIVE_INFINITY)
  for (let limit = maxFrontMatterBytes / 4; limit >= 16 && Buffer.byteLength(yaml) > maxFrontMatterBytes; limit /= 2) {
    yaml = formatYaml(frontMatter, limit)
  }
  const head = `---\n${yaml}---\n`
  return `${head}${cutToBytes(body, maxLogBytes - Buffer.byteLength(head))}`
}

/** A part of one of these would name something else. */
const keptWhole: ReadonlySet<unknown> = new Set([
  ...['written-by', 'status', 'run', 'executor', 'sandbox', 'outcome', 'id', 'code', 'model'],
])

/** The plain texts in lists are file names, and no file system has names above this. */
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
    // No anchors: the parser refuses aliases.
    aliasDuplicateObjects: false,
    // Each text stays on its line, so none can look like the closing `---`.
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
  // A character that was cut in the middle is left out.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, limitBytes), { stream: true })
}
