import { describeEnd } from '../../system/text/describe-end.ts'
import { constants } from 'node:os'
import type { ShellResult } from '../../system/shell/open-shell-result.ts'
import type { ShellService } from '../../system/shell/open-shell-service.ts'
import { watchPort, type PortWatch } from '../../system/process/trees/port-watch.ts'
import type { BlockOutcome } from '../../records/block-outcome.ts'
import { cutLine, plainLine } from '../../system/text/plain-text.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import type { Block } from '../../spec/spec.ts'
import { formatOutput } from '../compare/format-tail.ts'
import { failedLineOf } from '../shell/failed-line.ts'

/** The `background` blocks of a scenario that were started. */
export interface BlockServices {
  add(block: Block, service: ShellService): void
  find(block: Block): StartedService | undefined
  /** From now on the port is this service's: nobody else may serve it. */
  claim(service: StartedService, port: number): void
  /**
   * The first service that came to an end nobody expects, or whose port somebody else serves; then no other, and none
   * after `release`.
   */
  drainLost(): BlockOutcome | undefined
  /** From now on services may end. */
  release(): void
  /** How far the services are now. */
  mark(): ServiceMark
  /** What became of the services that ended or wrote something since the mark; may be empty. */
  describeSince(mark: ServiceMark): string
}

export interface StartedService {
  readonly block: Block
  /** Of the bash in which it runs. */
  roots(): readonly number[]
  /** How it ended, once it has. */
  readonly end: ShellResult | undefined
  /** Aborted once it has ended. */
  readonly over: AbortSignal
  writtenBytes(): number
  /** What it wrote last, in whole lines. */
  tail(): string
}

/** How much each service had written. */
export type ServiceMark = ReadonlyMap<StartedService, number>

/** Keeps the services of one scenario. */
export function createBlockServices(redact: Redact): BlockServices {
  const all: StartedService[] = []
  const claims: { readonly service: StartedService; readonly port: number; readonly watch: PortWatch }[] = []
  let isReleased = false
  const describe = (service: StartedService): string => {
    const head = `The service of line ${service.block.line} ${service.end ? describeServiceEnd(service.end) : 'is running'}.`
    return [head, formatOutput('Its output', redact(service.tail()))].filter((part) => part !== '').join(' ')
  }
  const findEnded = (): BlockOutcome | undefined => {
    const found = all.find(isEndedUnexpectedly)
    return found?.end && failed(found, `${describe(found)}\n\n${wayOut(found.end)}`)
  }
  const findReplaced = (): BlockOutcome | undefined => {
    for (const { service, port, watch } of claims) {
      // One that may end leaves its port to whoever comes next.
      const stranger = service.end === undefined ? watch.stranger() : undefined
      if (stranger === undefined) continue
      const who =
        stranger === '' ? 'another process' : `another process, \`${redact(cutLine(plainLine(stranger), 200))}\``
      const message = `Port ${port} of the service of line ${service.block.line} is served by ${who}. What is found there says nothing of the service.`
      return failed(service, `${message}\n\n${describe(service)}`)
    }
    return undefined
  }
  return {
    add: (block, service) => void all.push(follow(block, service)),
    find: (block) => all.findLast((one) => one.block === block),
    claim: (service, port) => void claims.push({ service, port, watch: watchPort(port, () => service.roots()) }),
    drainLost() {
      if (isReleased) return undefined
      const lost = findEnded() ?? findReplaced()
      isReleased = lost !== undefined
      return lost
    },
    release() {
      isReleased = true
    },
    mark: () => new Map(all.map((one) => [one, one.writtenBytes()])),
    describeSince: (mark) =>
      all
        .filter((one) => one.end !== undefined || one.writtenBytes() > (mark.get(one) ?? 0))
        .map(describe)
        .join('\n'),
  }
}

function follow(block: Block, { ended, tail, writtenBytes, roots }: ShellService): StartedService {
  const over = new AbortController()
  let end: ShellResult | undefined
  void ended.then((result) => {
    end = result
    over.abort()
  })
  return {
    block,
    get end() {
      return end
    },
    over: over.signal,
    writtenBytes,
    roots,
    tail() {
      const bytes = tail()
      const text = bytes.toString('utf8')
      // The rest of a secret whose beginning is cut off would not be known as one.
      return writtenBytes() > bytes.length ? text.replace(/^[^\n]*\n?/, '') : text
    },
  }
}

function failed({ block, end }: StartedService, message: string): BlockOutcome {
  const { role, file } = block
  const failedLine = block.kind === 'script' && end?.status === 'done' ? failedLineOf(block, end) : undefined
  return { role, line: failedLine ?? block.line, ...(file !== undefined && { file }), status: 'fail', message }
}

function describeServiceEnd(end: ShellResult): string {
  if (end.status === 'done') return `ended by itself with exit code ${end.exitCode}`
  if (end.status !== 'lost' || end.signal === undefined) return 'was ended'
  return `${describeEnd({ reason: 'signal', signal: end.signal })}, exit code ${exitCodeOf(end)}`
}

/** After `exec` the program is the shell, and a signal that ends it has the exit code that a shell tells of it. */
function exitCodeOf(end: ShellResult): number | undefined {
  if (end.status === 'done') return end.exitCode
  return end.status === 'lost' && end.signal !== undefined ? 128 + constants.signals[end.signal] : undefined
}

/** One that may end says so with the exit code that it ends with: anybody can end a service that takes that for success. */
function isEndedUnexpectedly({ end, block: { attributes } }: StartedService): boolean {
  return end !== undefined && (attributes.exit === undefined || exitCodeOf(end) !== attributes.exit)
}

function wayOut(end: ShellResult): string {
  const rule = 'A service runs until the scenario is over.'
  const code = exitCodeOf(end)
  return code === undefined ? rule : `${rule} If it may end, say so with \`exit=${code}\`.`
}
