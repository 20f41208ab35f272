import { isMatch } from '../derive/expected-lines.ts'
import type { Rehearsal } from '../gates/rehearse.ts'
import { generalizeLine, type Generalization } from '../derive/generalize-line.ts'
import type { Piece, BrowserItem, BrowserPiece, Sight } from '../derive/piece.ts'
import { writeOutput } from '../../blocks/expected-output/write-expected.ts'

type LearnedSights =
  | { readonly ok: true; readonly expected: ReadonlyMap<Sight, readonly string[]> }
  | { readonly ok: false; readonly why: string }

interface Learning {
  readonly browserLines: ReadonlyMap<number, BrowserItem>
  readonly samples: readonly Rehearsal[]
  readonly moments: readonly Date[]
}

/** Returns a pattern for each page line that the agent quoted. The pattern matches the line in all executions. */
export function learnSights(pieces: readonly Piece[], { browserLines, samples, moments }: Learning): LearnedSights {
  const expected = new Map<Sight, readonly string[]>()
  const own = new Set(itemsIn(pieces))
  for (const [line, item] of browserLines) {
    if (item.kind !== 'sight' || !own.has(item)) continue
    const seen = samples.flatMap(({ commands }) => lineLike(item, commands.get(line)?.pages?.after ?? []))
    const told = expectedSight([writeSight(item.line), ...seen], { moments })
    if (told === undefined || seen.length === 0) {
      const others = seen.map((one) => `\`${one}\``).join(', ')
      return { ok: false, why: `The page showed something else in place of \`${item.line}\`: ${others}.` }
    }
    expected.set(item, [told])
  }
  return { ok: true, expected }
}

function lineLike(sight: Sight, page: readonly string[]): readonly string[] {
  const like = page.find((line) => line === sight.line) ?? page.find((line) => isMatch(anythingLike(sight), line))
  return like === undefined ? [] : [writeSight(like)]
}

/** Why none of the quoted page lines is evidence. `undefined` if one of them is, or if nothing was quoted. */
export function whyNothingShown(
  pieces: readonly Piece[],
  { browserLines, samples }: Pick<Learning, 'browserLines' | 'samples'>,
  expected: ReadonlyMap<unknown, readonly string[]>,
): string | undefined {
  const items = itemsIn(pieces)
  const sights = items.filter((item) => item.kind === 'sight')
  if (sights.length === 0) return undefined
  const lines = [...browserLines].map(([line, item]) => ({ line, item }))
  const start = items.some(({ kind }) => kind === 'action')
    ? lines.find(({ item }) => items.includes(item))
    : lines[lines.findIndex(({ item }) => item.kind === 'action' && item.method === 'goto') + 1]
  const before = samples.flatMap(({ commands }) => commands.get(start?.line ?? 0)?.pages?.before ?? [])
  const weak = sights.map((sight) => {
    const wasThere = before.some((line) => (expected.get(sight) ?? []).some((one) => isMatch(one, line)))
    return wasThere ? 'it was on the page before' : sight.weakness
  })
  if (weak.includes(undefined)) return undefined
  return `Nothing that the agent quoted shows that the step worked: of \`${sights[0]?.line ?? ''}\`, ${weak[0] ?? ''}. Have it quote a line that only this step puts on the page.`
}

export function typesPassword(
  pieces: readonly Piece[],
  { browserLines, samples, known }: Pick<Learning, 'browserLines' | 'samples'> & { readonly known: string },
): boolean {
  const own = new Set(itemsIn(pieces))
  return [...browserLines].some(([line, item]) => {
    if (item.kind !== 'action' || !own.has(item)) return false
    const passwords = samples.flatMap(({ commands }) => commands.get(line)?.pages?.passwords ?? [])
    return item.values.some((text) => text !== '' && passwords.includes(text) && !known.includes(text))
  })
}

function itemsIn(pieces: readonly Piece[]): readonly BrowserItem[] {
  return pieces.filter((piece): piece is BrowserPiece => piece.kind === 'browser').flatMap(({ items }) => items)
}

export function anythingLike(sight: Sight): string {
  return expectedSight([writeSight(sight.line)], { moments: [], isLoose: true }) ?? writeSight(sight.line)
}

function expectedSight(
  lines: readonly string[],
  options: Pick<Generalization, 'moments' | 'isLoose'>,
): string | undefined {
  const samples = lines.map((line) => ({ line, captures: new Map<string, string>() }))
  return generalizeLine(samples, { ...options, captured: new Map(), nameFor: (kind) => kind })
}

function writeSight(line: string): string {
  return writeOutput({ lines: [line], isUnfinished: false })[0] ?? line
}
