import { startCommand } from '../../system/process/run-command.ts'
import type { ProgramRun, ProgramTask } from './program-run.ts'

/** Has an agent work without a terminal: what it does is in its output. */
export function startHeadlessRun({ task, options, onEvent }: ProgramTask): ProgramRun {
  const { agent, command } = task
  const running = startCommand(command, {
    ...options,
    onLine: (stream, line) => {
      const events = stream === 'stdout' ? agent.readEvents(line) : agent.readDiagnostics?.(line)
      for (const event of events ?? []) onEvent(event)
    },
  })
  return {
    running,
    isStreamWhole: true,
    isLogComplete: false,
    directed() {},
    keepRecording: async () => undefined,
    close() {},
  }
}
