import type { Report } from './spec-rules.ts'
import { blocksOf, type Place, type Spec } from '../spec.ts'

/** Reports a spec that would test nothing, where it says that no agent acts. */
export function reportNothing({ agent, scenarios }: Spec, report: Report, place: Place): void {
  const isNothing = agent === 'none' ? scenarios.flatMap(blocksOf).length === 0 : scenarios.length === 0
  if (!isNothing) return
  const message =
    'No agent acts here and there is no block to execute, so nothing would be tested. Add a block such as ```sh below a heading, or take `agent: none` away: an agent then does what the text says.'
  report('nothing-to-execute', place, message)
}
