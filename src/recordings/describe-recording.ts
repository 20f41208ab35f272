import { createTwoFilesPatch } from 'diff'
import type { KeptRecording } from '../host/rewrite/write-recordings.ts'
import type { StepRecorded } from '../records/recorded-reason.ts'

interface Describing {
  nameOf(file: string): string
  readonly hasDiff: boolean
  /** Whether a test of the spec failed. If so, no line says `as recorded`. */
  readonly hasFailed: boolean
  readonly writer: '-u' | 'mdtest record'
}

export function describeRecording(
  kept: KeptRecording,
  { nameOf, hasDiff, hasFailed, writer }: Describing,
): readonly string[] {
  const { specFile, file, before, after, isCleaned, recorded, refusals, obsolete, heldBack, problem } = kept
  const name = nameOf(file)
  const isShown = hasDiff && before !== after
  const patch = isShown ? createTwoFilesPatch(name, name, before, after, undefined, undefined, { context: 3 }) : ''
  // Drop the first line, `Index: NAME`.
  const diff = patch.trimEnd().split(/\r?\n/).slice(1)
  const placeOf = ({ line, step, file: included }: StepRecorded): string =>
    `${nameOf(included ?? specFile)}:${line} "${step}"`
  const refused = refusals.map((one) =>
    one.isKeptBack
      ? `kept back: ${placeOf(one)}: ${one.message}`
      : `not recorded: ${placeOf(one)}: ${one.code}: ${one.message}`,
  )
  const steps = hasDiff && problem === undefined ? recorded.map((one) => `  ${placeOf(one)}`) : []
  const held = heldBack.map(
    (title) => `not recorded: ${name} "${title}": it was recorded otherwise. Write it with \`-u\`.`,
  )
  const old = obsolete.map(({ line, title }) => `${name}:${line} "${title}": no step of the spec has it any more`)
  return [
    ...(problem === undefined ? headline(kept, { name, hasFailed, writer }) : [`not written: ${name}: ${problem}`]),
    ...steps,
    ...diff,
    ...refused,
    ...held,
    ...old.map((text) => (isCleaned ? `removed: ${text}.` : `obsolete: ${text}. Remove it with \`${writer}\`.`)),
  ]
}

function headline(
  { before, after, isWritten, recorded, refusals, heldBack, obsolete }: KeptRecording,
  { name, hasFailed, writer }: Pick<Describing, 'hasFailed' | 'writer'> & { readonly name: string },
): readonly string[] {
  const tried =
    recorded.length > 0 ? ' (tried three times without the agent, its commands also with programs that do nothing)' : ''
  if (isWritten) return [`recorded: ${name}${tried}`]
  if (before !== after) return [`not as recorded: ${name}: write it with \`${writer}\`.`]
  const isNews = !hasFailed && before !== '' && refusals.length + heldBack.length + obsolete.length === 0
  return isNews ? [`as recorded: ${name}`] : []
}
