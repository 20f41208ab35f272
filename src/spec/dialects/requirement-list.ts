import { digestParts } from '../digest-parts.ts'
import type { Requirement, Scenario, SpecLines } from '../spec.ts'

/** A requirement, and what it says without its scenarios. */
export interface StatedRequirement {
  readonly requirement: Requirement
  readonly text: string
}

/** The requirements of a document, in the order in which they are found, and what proves them. */
export class RequirementList {
  readonly #lines: readonly string[]
  readonly #all: StatedRequirement[] = []

  /** @param lines of the document */
  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  /** In the order of the file. */
  get all(): readonly Requirement[] {
    return this.#all.map(({ requirement }) => requirement).toSorted((one, other) => one.line - other.line)
  }

  /** @param said lines of what it says */
  add(requirement: Requirement, said: readonly SpecLines[]): StatedRequirement {
    const stated = { requirement, text: this.textOf(said) }
    this.#all.push(stated)
    return stated
  }

  /** What a scenario proves: another key for each that says something else now, and for all once the scenario does. */
  provedBy(scenario: readonly SpecLines[], requirements: readonly StatedRequirement[]): Scenario['proves'] {
    if (requirements.length === 0) return undefined
    const own = this.textOf(scenario)
    return Object.fromEntries(requirements.map(({ requirement: { title }, text }) => [title, keyOf([text, own])]))
  }

  /** White space says nothing. */
  textOf(parts: readonly SpecLines[]): string {
    const lines = parts.flatMap(({ line, endLine }) => this.#lines.slice(line - 1, endLine))
    return lines.join('\n').replace(/\s+/g, ' ').trim()
  }
}

/** Characters of a key: 64 bits. */
const keyLength = 16

function keyOf(texts: readonly string[]): string {
  return digestParts(texts).slice(0, keyLength)
}
