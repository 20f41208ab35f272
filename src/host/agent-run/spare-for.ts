import type { CliAgent } from '../../agents/agent.ts'
import type { ReadyAgent, ScenarioPlace } from '../../agents/preparation.ts'
import { removeTemporary } from '../../system/files/remove.ts'
import type { Command } from '../../system/process/command.ts'
import type { LiveTrees } from '../../system/process/launcher/live-trees.ts'
import type { ScenarioRequest } from '../protocol/protocol.ts'
import type { Releases } from './releases.ts'
import { endSpare, type SpareProgram, type SparePrograms } from '../spares/spare-programs.ts'

/** What is started ahead for scenarios like one. */
export interface SpareUse {
  /** The program that waited for it; absent where none did. */
  readonly spare: SpareProgram | undefined
  /** Starts a program for the next one, with the command of this one. */
  prepareNext(command: Command): void
}

interface Scenario extends Pick<ScenarioPlace, 'storageState'> {
  readonly agent: Pick<CliAgent, 'name'>
  readonly ready: ReadyAgent
  readonly request: Pick<ScenarioRequest, 'env'>
}

interface Surroundings {
  readonly spares: SparePrograms
  readonly processes: Pick<LiveTrees, 'end'>
  readonly releases: Releases
}

/** Takes the program that waits for a scenario like this one. Nothing for an agent that cannot be started ahead. */
export function spareFor(
  { agent, ready, request, storageState }: Scenario,
  { spares, processes, releases }: Surroundings,
): SpareUse | undefined {
  const ahead = ready.startAhead?.({ storageState })
  if (ahead === undefined) return undefined
  const name = JSON.stringify([agent.name, ahead.kind, request.env])
  const spare = spares.take({ name })
  if (spare !== undefined) {
    releases.add(() => removeTemporary(spare.home))
    releases.add(() => void endSpare(spare, processes))
  }
  return {
    spare,
    prepareNext(command) {
      const commandIn = (home: string): Command => ({
        ...command,
        cwd: home,
        input: { ahead: ahead.inputFor(home), task: '' },
      })
      void spares.prepare({ name, commandIn })
    },
  }
}
