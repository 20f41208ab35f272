import type { SettledStep } from '../run/scenario-run.ts'
import type { StepMeta } from './step-meta.ts'

/** What is told of a settled step. */
export function stepMetaOf(
  { verdict, usage, rewritten, rate }: SettledStep,
  { log, tries }: { readonly log: string | undefined; readonly tries: number },
): StepMeta {
  const { outcome, assurance, reasons, expected } = verdict
  return {
    outcome,
    reasons,
    ...(assurance && { assurance }),
    ...(log !== undefined && { log }),
    ...(usage && { usage }),
    ...(rate && { rate }),
    ...(expected && { expected }),
    ...(rewritten.length > 0 && { rewritten }),
    ...(outcome === 'pass' && tries > 1 && { flaky: true as const }), // the type knows no `false`
  }
}
