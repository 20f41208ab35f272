#!/usr/bin/env node
import { describeWrongNode } from './commands/wrong-node.ts'

const problem = describeWrongNode(process.versions.node)
if (problem === undefined) {
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => interruption.abort(signal))
  }
  // Ignore a pipe that its reader, such as `head`, has closed early: the work must go on.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error
    })
  }
  // An older Node.js cannot load `main`, so import it after the version check.
  const { main } = await import('./commands/main.ts')
  process.exitCode = await main(process.argv.slice(2), {
    cwd: process.cwd(),
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: interruption.signal,
  })
} else {
  process.stderr.write(`mdtest: ${problem}\n`)
  process.exitCode = 2
}
