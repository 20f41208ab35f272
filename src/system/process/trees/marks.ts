import { randomBytes, randomInt } from 'node:crypto'
import { orNothing } from '../../error-facts.ts'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Set in every child. The value identifies even processes that left their group and lost their parent. */
export const marksVariable = 'MDTEST_MARKS'

/** Marks a browser of mdtest and its helper processes. They are no jobs of the agent that uses the browser. */
export const browserMark = 'mdtest-browser'

export function createMark(): string {
  return `mdtest-${randomBytes(8).toString('hex')}`
}

/** Adds marks to a child's environment. Keeps earlier marks, so that an outer mdtest finds our children. */
export function withMarks(
  env: Readonly<Record<string, string>>,
  marks: readonly (string | undefined)[],
): Record<string, string> & { readonly [marksVariable]: string } {
  return { ...env, [marksVariable]: [env[marksVariable], ...marks].filter(Boolean).join(':') }
}

export function hasMark(environment: Buffer, mark: string): boolean {
  if (mark === '' || !environment.includes(mark)) return false
  const prefix = `${marksVariable}=`
  const entries = environment.toString('utf8').split('\0')
  return entries.some((entry) => entry.startsWith(prefix) && entry.slice(prefix.length).split(':').includes(mark))
}

/**
 * A second mark for a process and its descendants: an unusual value of the resource limit `RLIMIT_MSGQUEUE`. Processes
 * that clear their environment keep this mark. Only on Linux with the program `prlimit`.
 */
export type InheritedLimit = number

/** Chooses an unusual value for `RLIMIT_MSGQUEUE`. `undefined` if this process's own limit is too low. */
export function chooseLimit(): InheritedLimit | undefined {
  own ??= limitIn(orNothing(() => readFileSync('/proc/self/limits', 'latin1')) ?? '') ?? 0
  if (own <= lowest + width) return undefined
  count += 1
  return lowest + ((offset + count) % width)
}

/** Ignores errors, because the process also has a mark in its environment. */
export function setLimit(pid: number, limit: InheritedLimit): void {
  execFile('prlimit', ['--pid', String(pid), `--msgqueue=${limit}:${limit}`], () => undefined)
}

const lowest = 300_000
const width = 500_000
const offset = randomInt(width)
let count = 0
let own: number | undefined

export function limitIn(limits: string): number | undefined {
  const hard = /^Max msgqueue size +\S+ +(\S+)/m.exec(limits)?.[1]
  if (hard === 'unlimited') return Number.MAX_SAFE_INTEGER
  return hard === undefined ? undefined : Number(hard)
}
