import { extname } from 'node:path'
import type { Outline } from '../sections/build-sections.ts'
import type { Dialect } from './dialect.ts'
import { openspecDialect } from './openspec/openspec-dialect.ts'
import { gherkinDialect } from './gherkin/gherkin-dialect.ts'
import { plannerDialect } from './planner/planner-dialect.ts'
import { specKitDialect } from './spec-kit/spec-kit-dialect.ts'

export const dialects: readonly Dialect[] = [plannerDialect, openspecDialect, gherkinDialect, specKitDialect]

/** `undefined` for `mdtest` and for unknown names. */
export function dialectNamed(name: unknown): Dialect | undefined {
  return dialects.find((dialect) => dialect.name === name)
}

export function recognisedDialect(outline: Outline): Dialect | undefined {
  return dialects.find(({ recognise }) => recognise?.(outline) === true)
}

export function dialectOfText(file: string): Dialect | undefined {
  const ending = extname(file).slice(1).toLowerCase()
  return dialects.find((dialect) => dialect.ending === ending)
}
