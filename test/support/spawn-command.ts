import { spawn } from 'node:child_process'
import type { Command } from '../../src/system/process/command.ts'

export interface SpawnedEnd {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command to its end with its input, or none; after `limitMs` its process group gets SIGTERM. */
export function spawnCommand({ argv, cwd, env, input }: Command, limitMs = 60_000): Promise<SpawnedEnd> {
  const [bin, ...args] = argv
  return new Promise((resolve, reject) => {
    const child = spawn(bin, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
    child.stdin.on('error', () => undefined).end(input ?? '')
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGTERM'), limitMs)
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    child.on('close', (exitCode, signal) => {
      clearTimeout(timer)
      resolve({ exitCode, signal, stdout, stderr })
    })
  })
}
