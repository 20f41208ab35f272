import { formatHead, formatHeading, formatOf, formatStep, type ScenarioToWrite } from './format-recording.ts'
import { parseRecording } from './parse-recording.ts'
import { isOfScenario, type ParsedRecording, type RecordedStep } from './recording.ts'
import { withChildren } from '../sections/build-sections.ts'
import { unixText } from '../../system/text/plain-text.ts'

/** A scenario of the current spec, with new recorded steps in `steps`. */
export interface ScenarioToUpdate extends ScenarioToWrite {
  readonly known: readonly { readonly title: string; readonly key: string }[]
}

interface UpdateRequest {
  readonly specFile: string
  readonly scenarios: readonly ScenarioToUpdate[]
  /** `missing`: steps are only added. `all`: steps are also replaced and removed. */
  readonly mode: 'missing' | 'all'
  /** Whether the whole spec was run. Only a whole run shows which recorded steps are obsolete. */
  readonly isWhole: boolean
}

export interface RecordingUpdate {
  /** The old text, byte for byte, if nothing changes. */
  readonly text: string
  readonly added: number
  readonly updated: number
  /** Recorded steps that the spec no longer has; `all` removes them from the text. */
  readonly obsolete: readonly RecordedStep[]
  /** Titles of scenarios whose new steps were not written, because the mode `missing` keeps all recorded steps. */
  readonly heldBack: readonly string[]
}

/** Adds, replaces and removes steps as `mode` allows. `before`: a recording without problems, or an empty text. */
export function updateRecording(before: string, request: UpdateRequest): RecordingUpdate {
  const { specFile, scenarios, mode, isWhole } = request
  const old = parseRecording(before, specFile)
  const pieces = before.trim() === '' ? [newPiece(formatHead(specFile))] : piecesOf(before, old)
  const keys = new Set(scenarios.flatMap(({ known }) => known.map(({ key }) => key)))
  const obsolete = isWhole ? pieces.filter((piece) => isObsolete(piece, scenarios, keys)) : []
  const heldBack: string[] = []
  const counts = { added: 0, updated: 0 }
  const written = new Set<string>()
  for (const scenario of scenarios) {
    const found = matchSteps(pieces, scenario, keys)
    const changed = found.filter(({ step, piece }) => piece !== undefined && !isAsBefore(piece, step))
    if (mode === 'missing' && changed.length > 0) {
      heldBack.push(scenario.title)
      continue
    }
    // Write each step once, because scenarios with the same words have the same keys.
    const wanted = found.filter(({ step }) => !written.has(step.key))
    for (const { step } of wanted) written.add(step.key)
    counts.updated += wanted.filter((one) => changed.includes(one)).length
    counts.added += wanted.filter(({ piece }) => piece === undefined).length
    putSteps(pieces, wanted, { scenario, scenarios })
  }
  const removed = mode === 'all' ? removeAll(pieces, obsolete) : 0
  const isRenewed = old.recording.otherKeys !== undefined && isRecordedAnew(request)
  const isChanged = isRenewed || counts.added + counts.updated + removed > 0
  const text = isChanged ? join(pieces, { before, specFile }) : before
  return { text, ...counts, obsolete: obsolete.flatMap(({ step }) => step ?? []), heldBack }
}

/** Whether every step of the spec with an agent was recorded, and may replace what was there. */
export function isRecordedAnew({ scenarios, isWhole, mode }: UpdateRequest): boolean {
  return isWhole && mode === 'all' && scenarios.every(({ known, steps }) => known.length === 0 || steps !== undefined)
}

/** A heading with the lines up to the next heading. The first piece has no heading. */
interface Piece {
  readonly title?: string
  readonly isTop: boolean
  readonly step?: RecordedStep | undefined
  lines: readonly string[]
}

function newPiece(text: string, more: Partial<Piece> = {}): Piece {
  return { isTop: true, ...more, lines: [...text.split('\n'), ''] }
}

function piecesOf(source: string, { recording, sections }: ParsedRecording): Piece[] {
  const headings = withChildren(sections)
  const lines = unixText(source).split('\n')
  const steps = new Map(recording.steps.map((step) => [step.line, step]))
  const linesFrom = (line: number, index: number): readonly string[] =>
    lines.slice(line - 1, (headings[index]?.line ?? lines.length + 1) - 1)
  const pieces = headings.map((section, index): Piece => {
    const { line, title } = section
    return { isTop: sections.includes(section), title, step: steps.get(line), lines: linesFrom(line, index + 1) }
  })
  return [{ isTop: true, lines: linesFrom(1, 0) }, ...pieces]
}

function bodyOf({ step, lines }: Piece): string {
  const { line = 1, endLine = 1, blocks = [] } = step ?? {}
  return lines.slice((blocks[0]?.line ?? line) - line, endLine - line + 1).join('\n')
}

function isAsBefore(piece: Piece, { key, body }: MatchedStep['step']): boolean {
  return piece.step?.key === key && bodyOf(piece) === body
}

interface MatchedStep {
  readonly step: NonNullable<ScenarioToWrite['steps']>[number]
  readonly piece: Piece | undefined
}

function matchSteps(
  pieces: readonly Piece[],
  scenario: ScenarioToUpdate,
  keys: ReadonlySet<string>,
): readonly MatchedStep[] {
  const taken = new Set<Piece>()
  return (scenario.steps ?? []).map((step) => {
    const isStale = ({ step: old }: Piece): boolean =>
      old !== undefined && !keys.has(old.key) && old.title === step.title && isOfScenario(old, scenario)
    const piece =
      pieces.find((one) => one.step?.key === step.key) ?? pieces.find((one) => isStale(one) && !taken.has(one))
    if (piece) taken.add(piece)
    return { step, piece }
  })
}

function isObsolete({ step }: Piece, scenarios: readonly ScenarioToUpdate[], keys: ReadonlySet<string>): boolean {
  if (step === undefined || keys.has(step.key)) return false
  return !scenarios.some(
    (scenario) => isOfScenario(step, scenario) && scenario.known.some(({ title }) => title === step.title),
  )
}

interface Placement {
  readonly scenario: ScenarioToUpdate
  readonly scenarios: readonly ScenarioToUpdate[]
}

function putSteps(pieces: Piece[], steps: readonly MatchedStep[], placement: Placement): void {
  const { scenario } = placement
  for (const [index, { step, piece }] of steps.entries()) {
    const text = formatStep(step, scenario)
    if (piece === undefined) {
      const { title, key } = step
      const place = scenario.isStep ? {} : { scenario: scenario.title }
      // For a new step, `line`, `column`, `endLine` and `blocks` are placeholders that nothing reads.
      const recorded = { title, key, ...place, line: 1, column: 1, endLine: 1, blocks: [] }
      const made = newPiece(text, { title, isTop: scenario.isStep, step: recorded })
      const next = steps.slice(index + 1).find((one) => one.piece !== undefined)?.piece
      pieces.splice(next === undefined ? insertionIndex(pieces, placement) : pieces.indexOf(next), 0, made)
    } else if (!isAsBefore(piece, step)) {
      const { line = 1, endLine = 1 } = piece.step ?? {}
      piece.lines = [...text.split('\n'), ...piece.lines.slice(endLine - line + 1)]
    }
  }
}

/** Returns the index for a new step. If the scenario's heading is missing, inserts the heading first. */
function insertionIndex(pieces: Piece[], { scenario, scenarios }: Placement): number {
  const last = lastOf(pieces, scenario)
  if (last !== -1) return last + 1
  const before = scenarios.slice(0, scenarios.indexOf(scenario))
  const at = Math.max(0, ...before.map((one) => lastOf(pieces, one))) + 1
  if (scenario.isStep) return at
  pieces.splice(at, 0, newPiece(formatHeading('#', scenario.title), { title: scenario.title }))
  return at + 1
}

function lastOf(pieces: readonly Piece[], { title, isStep }: Pick<ScenarioToUpdate, 'title' | 'isStep'>): number {
  const isOwn = pieces.map((one) => one.isTop && one.title === title && (one.step !== undefined) === isStep)
  const first = isOwn.lastIndexOf(true)
  if (first === -1 || isStep) return first
  const next = pieces.findIndex((one, index) => index > first && one.isTop)
  return (next === -1 ? pieces.length : next) - 1
}

function removeAll(pieces: Piece[], obsolete: readonly Piece[]): number {
  const left = pieces.filter((piece) => !obsolete.includes(piece))
  const isBare = ({ step, lines }: Piece): boolean =>
    step === undefined && lines.filter((line) => line.trim() !== '').length < 2
  const kept = left.filter(
    (piece, index) => index === 0 || !(piece.isTop && isBare(piece) && (left[index + 1]?.isTop ?? true)),
  )
  pieces.splice(0, pieces.length, ...(obsolete.length > 0 ? kept : left))
  return obsolete.length
}

function join(pieces: readonly Piece[], { before, specFile }: { before: string; specFile: string }): string {
  const [head = '', ...sections] = pieces.map(({ lines }) => lines.join('\n').replace(/\n+$/, ''))
  const named = head.replace(/^recording-of:.*(?:\r?\nkeys:.*)?$/m, () => formatOf(specFile))
  const text = [...(named === '' ? [] : [named]), ...sections].join('\n\n').concat('\n')
  const mark = before.startsWith('\uFEFF') ? '\uFEFF' : ''
  return mark + (/^[^\n]*\r\n/.test(before) ? text.replaceAll('\n', '\r\n') : text)
}
