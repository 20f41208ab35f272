import type { Worker } from 'node:worker_threads'
import type { Vitest } from 'vitest/node'
import type { RunningCode } from '../../host/protocol/protocol.ts'
import { MdtestError } from '../../system/mdtest-error.ts'

// How Vitest starts its workers. Seen in Vitest 4.1.12 and 5.1.1.

/** Ends workers that are stuck in the code of a spec. */
export interface WorkerEnder {
  /** Vitest goes on without the worker, and the run fails. */
  end(code: RunningCode): void
  close(): void
}

/** Vitest gives nobody its workers, so those that are started from now on are noted. */
export function openWorkerEnder({ state }: Pick<Vitest, 'state'>): WorkerEnder {
  const threads = new Map<number, Worker>()
  const note = (worker: Worker): void => {
    const { threadId } = worker
    threads.set(threadId, worker)
    worker.once('exit', () => threads.delete(threadId))
  }
  process.on('worker', note)
  return {
    end(code) {
      state.catchError(stuckError(code), 'Unhandled Error')
      if (code.pid === process.pid) void threads.get(code.threadId)?.terminate()
      else killNow(code.pid)
    },
    close: () => void process.off('worker', note),
  }
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended a moment ago.
  }
}

function stuckError({ file, line, limitMs }: RunningCode): MdtestError {
  const error = new MdtestError(
    'SPEC_STUCK',
    `The code of this block kept its worker busy beyond the limit of ${limitMs} ms, so the worker was ended, and with it all that its spec had left to do.`,
    { hint: 'Look for a loop that does not end, or `await` in it.' },
  )
  error.stack = `${error.name}: ${error.message}\n    at ${file}:${line}:1`
  return error
}
