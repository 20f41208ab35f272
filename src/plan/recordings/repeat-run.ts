import { connectHost } from '../../host/server/connect-host.ts'
import type { HostAddress } from '../../host/protocol/protocol.ts'
import type { ReproducedScenario } from '../../recordings/reproduce-scenario.ts'
import type { EndedRun, RecordContext } from './record-input.ts'
import { formatDuration } from '../../system/text/wording.ts'
import { limitTime } from '../../system/concurrency.ts'

/** Repeats what an agent did in a run, without it. */
export type RepeatRun = (run: EndedRun) => Promise<ReproducedScenario>

/** What repeats the runs of a spec before their passes count; `undefined` where they count as they are. */
export function repeaterOf(
  plan: RecordContext['plan'],
  { address, root, env }: Omit<RecordContext, 'plan'> & { readonly address: HostAddress },
): RepeatRun | undefined {
  const { reproduce, hardTimeoutMs } = plan.settings
  if (reproduce === false) return undefined
  return async (run) => {
    const host = connectHost(address)
    // What an agent may take, its repetition may take as well.
    using limit = limitTime(hardTimeoutMs, run.signal)
    const { signal } = limit
    try {
      // Loaded where something is repeated: most runs have no use for it.
      const [{ reproduceScenario }, { openTempDirs, recordInputOf }] = await Promise.all([
        import('../../recordings/reproduce-scenario.ts'),
        import('./record-input.ts'),
      ])
      const folders = openTempDirs(host)
      const context = { plan, root, env, makeTempDir: folders.makeTempDir }
      return await reproduceScenario(run, {
        inputOf: (part) => recordInputOf({ ...run, ...part, signal }, context),
        interruption: () => {
          if (!signal.aborted) return undefined
          return run.signal.aborted
            ? 'The run was interrupted.'
            : `It was not over after ${formatDuration(hardTimeoutMs)}; set a longer \`timeout\`.`
        },
      }).finally(folders.removeAll)
    } finally {
      host.close()
    }
  }
}
