import { extname } from 'node:path'
import type { FenceLanguage } from '../blocks/fence.ts'
import type { Outline } from '../sections/build-sections.ts'
import type { Dialect } from './dialect.ts'
import { openspecDialect } from './openspec/openspec-dialect.ts'
import { gherkinDialect } from './gherkin/gherkin-dialect.ts'
import { plannerDialect } from './planner/planner-dialect.ts'
import { namesOfDialects, type DialectName } from './places.ts'
import { scrutDialect } from './scrut/scrut-dialect.ts'
import { specKitDialect } from './spec-kit/spec-kit-dialect.ts'

/** The dialects, each made in a folder of its own. */
export const dialects: readonly Dialect[] = [
  scrutDialect,
  plannerDialect,
  openspecDialect,
  gherkinDialect,
  specKitDialect,
]

/** The values of `dialect`; `mdtest` stands for none of them. */
export const dialectNames: readonly ('mdtest' | DialectName)[] = ['mdtest', ...namesOfDialects]

/** `undefined` for specs of mdtest's own, and for whatever is none. */
export function dialectNamed(name: unknown): Dialect | undefined {
  return dialects.find((dialect) => dialect.name === name)
}

/** The dialect whose form a document has that names none. */
export function recognisedDialect(outline: Outline): Dialect | undefined {
  return dialects.find(({ recognise }) => recognise?.(outline) === true)
}

/** The dialect of a file that is no markdown. */
export function dialectOfText(file: string): Dialect | undefined {
  const ending = extname(file).slice(1).toLowerCase()
  return dialects.find((dialect) => dialect.ending === ending)
}

/** The languages of fences that dialects bring. */
export const dialectLanguages: readonly FenceLanguage[] = dialects.flatMap(({ language }) => language ?? [])
