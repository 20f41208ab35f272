import type { Repeats, SpecLine, SpecProblem } from '../../spec/spec.ts'
import type { Actor } from './actors.ts'
import type { Limits } from './limits.ts'
import type { Estimate } from './estimate.ts'

/** What directives say of a heading. */
export interface Marks {
  /** The reason, or an empty string where none was given. */
  readonly skip?: string
  readonly only?: true
  readonly fails?: true
  readonly retry?: number
  readonly tags?: readonly string[]
  /** Hard limit in milliseconds. */
  readonly timeoutMs?: number
}

/** A leaf heading, and who does it. */
export interface ListedStep extends SpecLine, Marks {
  readonly kind: 'step'
  readonly id: string
  readonly title: string
  /** In the order in which they act. */
  readonly by: readonly Actor[]
  /** How many checks the agent judges. */
  readonly checks: number
}

/** A heading with headings below it. */
export interface ListedGroup extends SpecLine, Marks {
  readonly kind: 'group'
  readonly title: string
  readonly children: readonly (ListedGroup | ListedStep)[]
}

/** A set-up or tear-down. */
export interface ListedHook extends SpecLine {
  readonly title: string
  readonly by: readonly Actor[]
}

/** One scenario in order. */
export interface ListedScenario extends SpecLine, Marks {
  readonly title: string
  /** Where it is run more than once. */
  readonly repeats?: Repeats
  readonly setup?: ListedHook
  readonly children: readonly (ListedGroup | ListedStep)[]
  readonly teardown?: ListedHook
}

/** The plan of one spec. */
export interface ListedSpec {
  /** Absolute path. */
  readonly spec: string
  readonly title: string
  /** After precedence; `auto` is whichever is on PATH. */
  readonly agent: string
  readonly tags: readonly string[]
  readonly requires: readonly string[]
  readonly sideEffects: boolean
  /** Where it has tables: whether all rows run, or none behind one that does not pass. */
  readonly rows?: 'all' | 'stop'
  /** Those that differ from the defaults. */
  readonly limits: Limits
  readonly scenarios: readonly ListedScenario[]
  /** Where an estimate was asked for and the agent acts. */
  readonly estimate?: Estimate
}

/** A spec that cannot be run, and why. */
export interface BadSpec {
  /** Absolute path. */
  readonly spec: string
  /** Empty where the file cannot be read. */
  readonly problems: readonly SpecProblem[]
  /** The same for people, with the lines they are about. */
  readonly report: string
}
