#!/usr/bin/env node
import { describeWrongNode } from './commands/wrong-node.ts'

const problem = describeWrongNode(process.versions.node)
if (problem === undefined) {
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // literals, for the type
    process.once(signal, () => interruption.abort(signal))
  }
  // A reader such as `head` may close the pipe early: do the work to its end all the same.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error
    })
  }
  // Import it only now: an older Node.js cannot even load the rest.
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
