import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a `wait=` waits for. */
export interface Readiness {
  /** For messages: the subject of a sentence, and its ends. */
  readonly subject: string
  readonly isThere: string
  readonly didNotCome: string
  /** The port, where it is one. */
  readonly port?: number
  isReady(): Promise<boolean>
}

/** Reads `port:N` or `file:PATH`, which the parser has checked; a path is relative to `cwd`. */
export function readinessOf(wait: string, cwd: string): Readiness {
  const separator = wait.indexOf(':')
  const value = wait.slice(separator + 1)
  if (wait.slice(0, separator) === 'port') {
    return {
      subject: `Port ${value}`,
      isThere: 'is open',
      didNotCome: 'did not open',
      port: Number(value),
      isReady: () => isPortOpen(Number(value)),
    }
  }
  const path = resolve(cwd, value)
  return {
    subject: `The file \`${value}\``,
    isThere: 'is there',
    didNotCome: 'did not appear',
    isReady: () => Promise.resolve(existsSync(path)),
  }
}

/** Waits until it is ready; false when `signal` was aborted before. */
export async function waitUntilReady({ isReady }: Readiness, signal: AbortSignal): Promise<boolean> {
  for (let pauseMs = minPauseMs; !signal.aborted; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    if (await isReady()) return true
    // Rejected when the signal is aborted, which the loop looks at.
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
  }
  return false
}

/** Pauses between two looks, in milliseconds. */
const minPauseMs = 5
const maxPauseMs = 100
const connectTimeoutMs = 1_000

/** A server listens on IPv4, IPv6 or both. */
async function isPortOpen(port: number): Promise<boolean> {
  const answers = await Promise.all(['127.0.0.1', '::1'].map((host) => accepts(host, port)))
  return answers.includes(true)
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect({ host, port, timeout: connectTimeoutMs })
    const end = (isOpen: boolean): void => {
      socket.destroy()
      settle(isOpen)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}
