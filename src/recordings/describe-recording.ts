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
  const { specFile, file, before, after, isCleaned, refusals, obsolete, heldBack, problem } = kept
  const name = nameOf(file)
  const isSame = before === after
  const diff = hasDiff && !isSame ? unifiedDiff(kept, name) : []
  const refused = refusals.map(({ code, line, step, message, file: included }) => {
    return `not recorded: ${nameOf(included ?? specFile)}:${line} "${step}": ${code}: ${message}`
  })
  const held = heldBack.map(
    (title) => `not recorded: ${name} "${title}": it was recorded otherwise. Write it with \`-u\`.`,
  )
  const old = obsolete.map(({ line, title }) => `${name}:${line} "${title}": no step of the spec has it any more`)
  return [
    ...(problem === undefined ? headline(kept, name) : [`not written: ${name}: ${problem}`]),
    ...diff,
    ...refused,
    ...held,
    ...old.map((text) => (isCleaned ? `removed: ${text}.` : `obsolete: ${text}. Remove it with \`-u\`.`)),
  ]
}

function headline({ before, after, isWritten, refusals, heldBack }: KeptRecording, name: string): readonly string[] {
  if (isWritten) return [`recorded: ${name}`]
  if (before !== after) return [`not as recorded: ${name}`]
  return refusals.length + heldBack.length > 0 || before === '' ? [] : [`as recorded: ${name}`]
}
