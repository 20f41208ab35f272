import { writeOutput } from '../../blocks/expected-output/rewrite-lines.ts'
import { writeSee } from '../../spec/browser/page-lines.ts'
import { generalizeLine, type Generalization } from '../derive/generalize-line.ts'
import type { BrowserPiece, Sight } from '../derive/piece.ts'

export function writeBrowserLines(
  { items }: BrowserPiece,
  expectedOf: (sight: Sight) => string | undefined,
): readonly string[] {
  return items.map((item) =>
    item.kind === 'action' ? item.code : `${writeSee(expectedOf(item) ?? anythingLike(item))};`,
  )
}

export function anythingLike(sight: Sight): string {
  return expectedSight([writeSight(sight.line)], { moments: [], isLoose: true }) ?? writeSight(sight.line)
}

/** Generalizes several sightings of one line into one expected line; `undefined` if no pattern fits them all. */
export function expectedSight(
  lines: readonly string[],
  options: Pick<Generalization, 'moments' | 'isLoose'>,
): string | undefined {
  const samples = lines.map((line) => ({ line, captures: new Map<string, string>() }))
  return generalizeLine(samples, { ...options, captured: new Map(), nameFor: (kind) => kind })
}

export function writeSight(line: string): string {
  return writeOutput({ lines: [line], isUnfinished: false })[0] ?? line
}
