import { z } from 'zod'
import { createReader, type Key } from '../../front-matter/create-reader.ts'
import type { Mapping } from '../../front-matter/parse-mapping.ts'
import type { Report } from '../../rules/spec-rules.ts'
import { withoutUndefined } from '../../../system/without-undefined.ts'
import { maxTimerMs } from '../../../system/concurrency.ts'

/** What a duration of scrut looks like, for messages. */
const scrutDurationForm = 'a duration such as `500ms`, `5s` or `1m 30s`'

const msByUnit: Readonly<Record<string, number>> = {
  ...unit(1, ['ms', 'msec', 'millis']),
  ...unit(1000, ['s', 'sec', 'secs', 'second', 'seconds']),
  ...unit(60_000, ['m', 'min', 'mins', 'minute', 'minutes']),
  ...unit(3_600_000, ['h', 'hr', 'hrs', 'hour', 'hours']),
}

/**
 * Reads a duration of one or more parts, such as `1m 30s`.
 *
 * @returns milliseconds, 0 to 2 147 483 647; `undefined` for anything else
 */
export function parseScrutDuration(text: string): number | undefined {
  if (!/^\s*(?:\d+\s*[a-z]+\s*)+$/.test(text)) return undefined
  let sumMs = 0
  for (const [, count, name = ''] of text.matchAll(/(\d+)\s*([a-z]+)/g))
    sumMs += Number(count) * (msByUnit[name] ?? NaN)
  return sumMs <= maxTimerMs ? sumMs : undefined
}

function unit(ms: number, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, ms]))
}

/** What the configuration of a test case says; of a document, the `defaults` of its cases. */
export interface CaseConfig {
  readonly detached?: boolean
  /** Variables that are set from this case on. */
  readonly environment?: Readonly<Record<string, string>>
  readonly failFast?: boolean
  readonly keepCrlf?: boolean
  readonly outputStream?: 'stdout' | 'stderr' | 'combined'
  readonly skipDocumentCode?: number
  readonly stripAnsiEscaping?: boolean
  readonly timeoutMs?: number
  readonly wait?: Wait
}

/** What to wait for before a test case. */
export interface Wait {
  readonly timeoutMs: number
  /** Ends the wait as soon as it exists; relative to `TMPDIR`. */
  readonly path?: string
}

const duration = z.string().transform((value, context) => {
  const durationMs = parseScrutDuration(value)
  if (durationMs !== undefined) return durationMs
  context.addIssue('not a duration')
  return z.NEVER
})
const onOrOff: Key<boolean> = { schema: z.boolean(), form: '`true` or `false`' }

const keys = {
  detached: onOrOff,
  environment: {
    schema: z.record(
      z.string().regex(/^[A-Za-z_]\w*$/),
      z.string().refine((value) => !value.includes('\0')),
    ),
    form: 'a mapping of variable names to texts; quote numbers',
  },
  fail_fast: onOrOff,
  keep_crlf: onOrOff,
  output_stream: { schema: z.enum(['stdout', 'stderr', 'combined']), form: '`stdout`, `stderr` or `combined`' },
  skip_document_code: { schema: z.number().int().min(1).max(255), form: 'an exit code from 1 to 255' },
  strip_ansi_escaping: onOrOff,
  timeout: { schema: duration.refine((value) => value > 0), form: scrutDurationForm },
  wait: {
    schema: z.union([
      duration.transform((timeoutMs): Wait => ({ timeoutMs })),
      z
        .strictObject({ timeout: duration, path: z.string().min(1).optional() })
        .transform(({ timeout, path }): Wait => ({ timeoutMs: timeout, ...(path !== undefined && { path }) })),
    ]),
    form: `${scrutDurationForm}, or \`timeout\` and \`path\``,
  },
}

/** What has no counterpart: the values that change nothing, and what to do about all others. */
const unsupported: Readonly<Record<string, { readonly harmless: readonly unknown[]; readonly wayOut: string }>> = {
  detached_kill_signal: {
    harmless: ['term', 'SIGTERM', 15],
    wayOut: 'What is left running is ended by SIGTERM, then SIGKILL: take it out, or send the signal in a last case.',
  },
  interpolated: {
    harmless: [false],
    wayOut: 'Write the value out or match it by `(glob)`; a `console` block can recall what another one captured.',
  },
  mode: {
    harmless: ['output'],
    wayOut: 'Have the command itself check its output, by `jq -e` or another program that ends with an exit code.',
  },
}

/** Checks a configuration of test cases key by key: nothing is passed over. */
export function readCaseConfig(mapping: Mapping, report: Report): CaseConfig {
  for (const [name, value] of mapping.values) {
    const { harmless, wayOut } = unsupported[name] ?? {}
    if (harmless?.includes(value)) continue
    if (wayOut !== undefined) {
      const message = `\`${name}: ${JSON.stringify(value)}\` cannot be done here. ${wayOut}`
      report('scrut-unsupported', mapping.placeOf([name]), message)
    } else if (!Object.hasOwn(keys, name)) {
      const message = `\`${name}\` is no configuration of a test case. Known: ${Object.keys(keys).join(', ')}.`
      report('scrut-config', mapping.placeOf([name]), message)
    }
  }
  const read = createReader(mapping, 'scrut-config', report)
  return withoutUndefined<CaseConfig>({
    detached: read('detached', keys.detached),
    environment: read('environment', keys.environment),
    failFast: read('fail_fast', keys.fail_fast),
    keepCrlf: read('keep_crlf', keys.keep_crlf),
    outputStream: read('output_stream', keys.output_stream),
    skipDocumentCode: read('skip_document_code', keys.skip_document_code),
    stripAnsiEscaping: read('strip_ansi_escaping', keys.strip_ansi_escaping),
    timeoutMs: read('timeout', keys.timeout),
    wait: read('wait', keys.wait),
  })
}

/** A configuration that says what it can and leaves the rest to another. */
export function withDefaults(config: CaseConfig, defaults: CaseConfig): CaseConfig {
  return { ...defaults, ...config, environment: { ...defaults.environment, ...config.environment } }
}
