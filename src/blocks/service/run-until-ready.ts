import type { Block } from '../../spec/spec.ts'
import { fail, type BlockFinding, type BlockRun } from '../block-finding.ts'
import type { StartedService } from './block-services.ts'
import { asksForSkip, skippedBy } from '../shell/shell-end.ts'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { limitTime } from '../../system/slots-and-timers.ts'

/** Runs a block with `wait`, then waits for its port or file, within the limit of the block. */
export async function runUntilReady(
  block: Block,
  run: BlockRun,
  runBlock: () => Promise<BlockFinding>,
): Promise<BlockFinding> {
  const readiness = readinessOf(block.attributes.wait ?? '', run.workDir)
  const { subject, isThere, remedy, didNotCome } = readiness
  if (await readiness.isReady()) {
    return fail(`${subject} ${isThere} already, so the block was not run: waiting would prove nothing. ${remedy}`)
  }
  const startMs = performance.now()
  // Read the limit once, because it shrinks with the time left for the step.
  const limitMs = run.timeoutMs
  const finding = await runBlock()
  if (finding.status !== 'pass') return finding
  const service = run.services.find(block)
  const leftMs = Math.max(1, Math.round(startMs + limitMs - performance.now()))
  using limit = limitTime(leftMs, run.signal, ...(service ? [service.over] : []))
  if (await waitUntilReady(readiness.isReady, limit.signal)) {
    if (service && readiness.port !== undefined) run.services.claim(service, readiness.port)
    return finding
  }
  if (service?.end) return endedEarly(service, { block, run, failure: `${subject} ${didNotCome}` })
  if (run.signal.aborted) return fail(`${subject} ${didNotCome} before the run was canceled.`)
  return { status: 'timeout', message: `${subject} ${didNotCome} within ${limitMs} ms. ${moreTime}` }
}

const moreTime = 'If it needs longer, give the block a longer `timeout`.'

/** The finding for a service that ended too early. `runBlocks` adds the service's output to the message. */
function endedEarly(
  { end, tail }: StartedService,
  { block, run, failure }: { readonly block: Block; readonly run: BlockRun; readonly failure: string },
): BlockFinding {
  const expected = block.attributes.exit ?? 0
  if (end?.status === 'done' && asksForSkip(end.exitCode, expected)) {
    return skippedBy('The service', { stdout: tail(), stderr: '', exitCode: end.exitCode }, run.redact)
  }
  const advice = 'For a program that goes to the background by itself, leave `background` away.'
  return fail(`${failure}: the service ended before that. ${advice}`)
}

/** Parses `port:N` or `file:PATH` (relative to `cwd`) and adds words for messages. The syntax was checked before. */
function readinessOf(wait: string, cwd: string) {
  const [, kind, value = ''] = /^(.*?):(.*)$/s.exec(wait) ?? []
  const port = kind === 'port' ? Number(value) : undefined
  if (port !== undefined) {
    return {
      subject: `Port ${value}`,
      isThere: 'is in use',
      remedy: `Stop the program that uses it (\`lsof -i :${value}\` names it), or choose another port.`,
      didNotCome: 'did not open',
      port,
      isReady: () => isPortOpen(port),
    }
  }
  const isReady = (): Promise<boolean> => Promise.resolve(existsSync(resolve(cwd, value)))
  const remedy = 'Remove it before this block, or wait for another file.'
  return { subject: `The file \`${value}\``, isThere: 'is there', remedy, didNotCome: 'did not appear', port, isReady }
}

async function waitUntilReady(isReady: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  for (let pauseMs = minPauseMs; !signal.aborted; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    if (await isReady()) return true
    // `sleep` rejects if the signal aborts. The loop checks the signal, so ignore the rejection.
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
  }
  return false
}

const minPauseMs = 5
const maxPauseMs = 100
const connectTimeoutMs = 1_000

/** Tries IPv4 and IPv6, because a server may listen on only one of them. */
async function isPortOpen(port: number): Promise<boolean> {
  const answers = await Promise.all(['127.0.0.1', '::1'].map((host) => accepts(host, port)))
  return answers.includes(true)
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect({ host, port, timeout: connectTimeoutMs })
    for (const event of ['connect', 'timeout', 'error'] as const) {
      socket.once(event, () => {
        socket.destroy()
        settle(event === 'connect')
      })
    }
  })
}
