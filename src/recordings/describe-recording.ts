import type { KeptRecording } from '../host/rewrite/recordings.ts'
import { unifiedDiff } from './unified-diff.ts'

interface Describing {
  /** Path of a file as it is shown. */
  nameOf(file: string): string
  /** Whether what changed is shown. */
  readonly hasDiff: boolean
}

/** What became of the recording of a spec, for people. */
export function describeRecording(kept: KeptRecording, { nameOf, hasDiff }: Describing): readonly string[] {
  const { specFile, file, before, after, isWritten, refusals } = kept
  const isSame = before === after
  const told = isWritten ? 'recorded' : isSame ? (refusals.length > 0 ? undefined : 'as recorded') : 'not as recorded'
  const refused = refusals.map(({ code, line, step, message, file: included }) => {
    return `not recorded: ${nameOf(included ?? specFile)}:${line} "${step}": ${code}: ${message}`
  })
  const diff = hasDiff && !isSame ? unifiedDiff(kept, nameOf(file)) : []
  return [...(told === undefined ? [] : [`${told}: ${nameOf(file)}`]), ...diff, ...refused]
}
