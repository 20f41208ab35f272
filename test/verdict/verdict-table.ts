import { describe, expect, test } from 'vitest'
import { evaluateScenario } from '../../src/verdict/evaluate-scenario.ts'
import type { AgentEvidence, ScenarioEvidence, StepEvidence } from '../../src/verdict/verdict.ts'
import { scenario, short } from './evidence.ts'

/** A name, what is judged, and a verdict for each step in short. Steps are judged with an agent or other evidence. */
export type Row =
  | readonly [name: string, evidence: ScenarioEvidence, verdicts: string]
  | readonly [
      name: string,
      steps: readonly StepEvidence[],
      more: AgentEvidence | Partial<ScenarioEvidence> | undefined,
      verdicts: string,
    ]

export function table(title: string, rows: readonly Row[]): void {
  describe(title, () => {
    test.for(rows)('%s', (row) => {
      const [, evidence, verdicts] = row.length === 3 ? row : [row[0], scenario(row[1], partsOf(row[2])), row[3]]
      expect(evaluateScenario(evidence).map(short)).toEqual(verdicts === '' ? [] : verdicts.split(' | ').map(inFull))
    })
  })
}

function partsOf(more: AgentEvidence | Partial<ScenarioEvidence> = {}): Partial<ScenarioEvidence> {
  return 'runId' in more ? { agent: more } : more
}

/** `pass`: without any evidence. `skip 3`: the third step, because of one before. `asked`: a block asked for a skip. */
function inFull(verdict: string): string {
  if (verdict === 'pass') return 'pass claimed'
  if (verdict === 'asked') return 'skipped SKIPPED_BY_BLOCK@77'
  return verdict.replace(/^skip (\d)$/, (_, ordinal: string) => `skipped PREDECESSOR_FAILED@${ordinal}0`)
}
