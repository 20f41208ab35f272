import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BlockOutcome } from '../../records/block-outcome.ts'
import { cutLine, plainLine } from '../../system/text/plain-text.ts'
import type { Redact } from '../../system/redaction/redact-texts.ts'
import { lineOf, type Block } from '../../spec/spec.ts'
import { formatOutput } from '../command-result/format-tail.ts'
import { failedLineOf, isBroken } from '../shell/failed-line.ts'
import { watchPort } from '../../system/process/trees/sockets.ts'
import type { ShellService } from '../../system/shell/open-shell.ts'
import type { ShellResult } from '../../system/shell/open-shell-result.ts'
import { describeEnd } from '../../system/text/wording.ts'

export interface BlockServices {
  add(block: Block, service: ShellService): void
  find(block: Block): StartedService | undefined
  /** The first running service whose block has no `wait`. */
  unawaited(): StartedService | undefined
  /** Reserves a port for this service. From then on, another program that serves the port counts as a failure. */
  claim(service: StartedService, port: number): void
  /** Reports a service that ended by itself or lost its port. Returns a report only once, and none after `release`. */
  drainLost(): readonly BlockOutcome[]
  /** Waits until each service without `wait` has run for `startingMs` or has ended. */
  settle(): Promise<void>
  release(): void
  mark(): ReadonlyMap<StartedService, number>
  describeSince(mark: ReturnType<BlockServices['mark']>): string
}

export interface StartedService extends Pick<ShellService, 'roots' | 'writtenBytes'> {
  readonly block: Block
  readonly startedAtMs: number
  readonly end: ShellResult | undefined
  readonly over: AbortSignal
  tail(): string
}

/** How long bash takes to start and find that a program is missing, in milliseconds. */
const startingMs = 500

export function createBlockServices(redact: Redact): BlockServices {
  const all: StartedService[] = []
  const claims: { readonly service: StartedService; readonly port: number; strangerAt(): string | undefined }[] = []
  let isReleased = false
  const describeService = (service: StartedService): string => {
    const head = `The service of line ${service.block.line} ${service.end ? describeServiceEnd(service.end) : 'is running'}.`
    return [head, formatOutput('Its output', redact(service.tail()))].filter((part) => part !== '').join(' ')
  }
  const findEnded = (): BlockOutcome | undefined => {
    const found = all.find(isEndedUnexpectedly)
    if (found?.end === undefined) return undefined
    const code = exitCodeOf(found.end)
    const wayOut = code === undefined ? '' : ` If it may end, say so with \`exit=${code}\`.`
    return failed(found, `${describeService(found)}\n\nA service runs until the scenario is over.${wayOut}`)
  }
  /** A job of a service, as in `api & web`, may fail to start although the service goes on. */
  const findUnstarted = (): BlockOutcome | undefined => {
    const found = all.find((service) => service.end === undefined && lacksProgram(service))
    if (found === undefined) return undefined
    const message = `A part of the service could not be started. ${describeService(found)}`
    return { ...failed(found, message), isBroken: true }
  }
  const findReplaced = (): BlockOutcome | undefined => {
    for (const { service, port, strangerAt } of claims) {
      // Another program may use the port of a service that has ended.
      const stranger = service.end === undefined ? strangerAt() : undefined
      if (stranger === undefined) continue
      const who =
        stranger === '' ? 'another process' : `another process, \`${redact(cutLine(plainLine(stranger), 200))}\``
      const message = `Port ${port} of the service of line ${service.block.line} is served by ${who}. What answers there is not the service.`
      return failed(service, `${message}\n\n${describeService(service)}`)
    }
    return undefined
  }
  return {
    add: (block, service) => void all.push(follow(block, service)),
    find: (block) => all.findLast((one) => one.block === block),
    unawaited: () => all.find(({ end, block }) => end === undefined && block.attributes.wait === undefined),
    claim: (service, port) => void claims.push({ service, port, strangerAt: watchPort(port, () => service.roots()) }),
    drainLost() {
      const lost = isReleased ? undefined : (findEnded() ?? findUnstarted() ?? findReplaced())
      isReleased ||= lost !== undefined
      return lost ? [lost] : []
    },
    async settle() {
      const young = all.filter(({ end, block }) => end === undefined && block.attributes.wait === undefined)
      const waits = young.map(({ over, startedAtMs }) =>
        sleep(startedAtMs + startingMs - performance.now(), undefined, { signal: over }).catch(() => undefined),
      )
      await Promise.all(waits)
    },
    release: () => void (isReleased = true),
    mark: () => new Map(all.map((one) => [one, one.writtenBytes()])),
    describeSince: (mark) =>
      all
        .filter((one) => one.end !== undefined || one.writtenBytes() > (mark.get(one) ?? 0))
        .map(describeService)
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
    startedAtMs: performance.now(),
    get end() {
      return end
    },
    over: over.signal,
    writtenBytes,
    roots,
    tail() {
      const bytes = tail()
      const text = bytes.toString('utf8')
      // The first line is cut. Drop it, because half a secret would not be redacted.
      return writtenBytes() > bytes.length ? text.replace(/^[^\n]*\n?/, '') : text
    },
  }
}

function failed({ block, end, tail }: StartedService, message: string): BlockOutcome {
  const failedLine = block.kind === 'script' && end?.status === 'done' ? failedLineOf(block, end) : undefined
  const broken = end?.status === 'done' && isBroken({ ...end, stdout: tail() })
  const place = lineOf({ line: failedLine ?? block.line, file: block.file })
  return { role: block.role, ...place, status: 'fail', message, ...(broken && { isBroken: true }) }
}

/** Whether bash misses a program that the code names. Shells that the service starts may miss others. */
function lacksProgram({ block: { code }, tail }: StartedService): boolean {
  const lines = code.split('\n')
  const missing = tail().matchAll(/^bash: line (\d+): (.+): command not found$/gm)
  return [...missing].some(([, line, name = '']) => lines[Number(line) - 1]?.includes(name) === true)
}

function describeServiceEnd(end: ShellResult): string {
  if (end.status === 'done') return `ended by itself with exit code ${end.exitCode}`
  if (end.status !== 'lost' || end.signal === undefined) return 'was ended'
  return `${describeEnd({ reason: 'signal', signal: end.signal })}, exit code ${exitCodeOf(end)}`
}

/** The exit code of a service. Signal N counts as 128 + N, as in bash. */
function exitCodeOf(end: ShellResult): number | undefined {
  if (end.status === 'done') return end.exitCode
  return end.status === 'lost' && end.signal !== undefined ? 128 + constants.signals[end.signal] : undefined
}

function isEndedUnexpectedly({ end, block: { attributes } }: StartedService): boolean {
  return end !== undefined && (attributes.exit === undefined || exitCodeOf(end) !== attributes.exit)
}
