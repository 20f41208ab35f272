import { stringify } from 'yaml'
import { maxFrontMatterBytes, maxLogBytes } from './result-log.ts'
import type { ResultLog, StepResult } from './result-log.ts'

/** What a result log is written from. */
export interface ResultLogContent {
  readonly status: ResultLog['status']
  /** The run id. */
  readonly run: string
  readonly scenario: string
  /** Counted from 1. */
  readonly attempt: number
  /** Where mdtest alone executed the product, once there is a verdict. */
  readonly executor?: NonNullable<ResultLog['executor']>
  readonly sandbox?: NonNullable<ResultLog['sandbox']>
  /** The verdict on the scenario, once there is one. */
  readonly outcome?: NonNullable<ResultLog['outcome']>
  readonly reasons?: readonly { readonly code: string; readonly message: string }[]
  /** What the agent used, once it has ended. */
  readonly usage?: ResultLog['usage']
  readonly steps: readonly StepResult[]
  /** The agent's closing words, as they are. */
  readonly body: string
}

/**
 * Renders the log that mdtest writes from reports; `parseResultLog` gives its content back. Texts are shortened,
 * the longest first, where the front matter would have more than 256 KiB, and the body above 10 MiB: a log of ours
 * can always be read again (short of thousands of steps).
 */
export function formatResultLog(content: ResultLogContent): string {
  const { body, ...frontMatter } = content
  const head = `---\n${fitFrontMatter(frontMatter)}---\n`
  return `${head}${cutToBytes(body, maxLogBytes - Buffer.byteLength(head))}`
}

function fitFrontMatter({ steps, ...rest }: Omit<ResultLogContent, 'body'>): string {
  const value = { 'written-by': 'mdtest', ...rest, steps }
  const whole = formatYaml(value)
  let fitted = whole
  for (let limit = maxFrontMatterBytes / 4; limit >= 16 && isTooLarge(fitted); limit /= 2) {
    fitted = formatYaml(shortenTexts(value, limit))
  }
  return fitted
}

function isTooLarge(yaml: string): boolean {
  return Buffer.byteLength(yaml) > maxFrontMatterBytes
}

function formatYaml(value: unknown): string {
  return stringify(value, {
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

/** A part of one of these would name something else. */
const keptWhole: ReadonlySet<string> = new Set([
  'written-by',
  'status',
  'run',
  'executor',
  'sandbox',
  'outcome',
  'id',
  'code',
  'model',
])

function shortenTexts(value: unknown, limit: number): unknown {
  if (Array.isArray(value)) return value.map((item) => shortenItem(item, limit))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    keptWhole.has(key) ? item : shortenText(item, limit),
  ])
  return Object.fromEntries(entries)
}

function shortenText(value: unknown, limit: number): unknown {
  return typeof value === 'string' ? shorten(value, limit) : shortenTexts(value, limit)
}

/** The plain texts in lists are file names, and no file system has names above 255. */
function shortenItem(item: unknown, limit: number): unknown {
  return shortenText(item, typeof item === 'string' ? Math.max(limit, maxFileName) : limit)
}

const maxFileName = 255

function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '')}…`
}

function cutToBytes(text: string, limitBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= limitBytes) return text
  // A character that was cut in the middle is left out.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, limitBytes), { stream: true })
}
