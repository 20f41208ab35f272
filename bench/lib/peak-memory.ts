import { readdirSync, readFileSync } from 'node:fs'

/** Pause between two samples. Not shorter, because each sample slows down the measured process. */
const intervalMs = 400

/**
 * Samples the total PSS of a Node.js process and its Node.js descendants. Linux only.
 * @returns a function that stops sampling and returns the peak in bytes
 */
export function followPeakMemory(pid: number): () => number {
  let peakBytes = 0
  const look = () => {
    peakBytes = Math.max(
      peakBytes,
      nodeTree(pid).reduce((sum, each) => sum + pssBytes(each), 0),
    )
  }
  const timer = setInterval(look, intervalMs)
  look()
  return () => {
    clearInterval(timer)
    return peakBytes
  }
}

function nodeTree(pid: number): readonly number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), parentOf(name)] as const),
  )
  const tree = new Set([pid])
  for (let size = 0; size !== tree.size;) {
    size = tree.size
    for (const [child, parent] of parents) if (tree.has(parent) && isNode(child)) tree.add(child)
  }
  return [...tree]
}

function parentOf(pid: string): number {
  return Number(/\) \S (\d+)/.exec(readOr(`/proc/${pid}/stat`))?.[1])
}

function isNode(pid: number): boolean {
  return readOr(`/proc/${pid}/cmdline`).split('\0')[0]?.includes('node') === true
}

function pssBytes(pid: number): number {
  return 1024 * Number(/^Pss:\s+(\d+) kB/m.exec(readOr(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)
}

/** Returns '' if the file cannot be read, because processes may end at any time. */
function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
