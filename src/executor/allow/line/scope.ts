/** The texts that something may be, one of them; `undefined` where nobody can know. */
export type Values = readonly string[] | undefined

/** More than this is as good as unknown. */
export const maxValues = 16

/** What is known of the shell at a place of the line: where it may be, and what its variables may hold. */
export class Scope {
  /** Absolute paths. */
  cwds: Values
  readonly #variables: Map<string, Values>
  /** Names of variables that surely hold a whole number. */
  readonly #numbers: Set<string>

  constructor(cwds: Values, variables: ReadonlyMap<string, Values>, numbers: ReadonlySet<string> = new Set()) {
    this.cwds = cwds
    this.#variables = new Map(variables)
    this.#numbers = new Set(numbers)
  }

  copy(): Scope {
    return new Scope(this.cwds, this.#variables, this.#numbers)
  }

  valuesOf(name: string): Values {
    return this.#variables.get(name)
  }

  isNumber(name: string): boolean {
    return this.#numbers.has(name)
  }

  /** It may as well be where it was before. */
  mayStayIn(cwds: Values): void {
    this.cwds = union(this.cwds, cwds)
  }

  equals(other: Scope): boolean {
    if (!isSame(this.cwds, other.cwds) || this.#variables.size !== other.#variables.size) return false
    return [...this.#variables].every(
      ([name, values]) => isSame(values, other.valuesOf(name)) && this.isNumber(name) === other.isNumber(name),
    )
  }

  /** Takes for unknown what has become another since. */
  forget(before: Scope): void {
    if (!isSame(this.cwds, before.cwds)) this.cwds = undefined
    for (const [name, values] of this.#variables) {
      if (!isSame(values, before.valuesOf(name))) this.set(name, undefined, this.isNumber(name))
    }
  }

  set(name: string, values: Values, isNumber = values?.every((value) => /^-?\d+$/.test(value)) === true): void {
    this.#variables.set(name, values)
    if (isNumber) this.#numbers.add(name)
    else this.#numbers.delete(name)
  }

  /** Becomes what another is. */
  take(other: Scope): void {
    this.cwds = other.cwds
    for (const name of other.#variables.keys()) this.set(name, other.valuesOf(name), other.isNumber(name))
  }

  /** Takes over another, which may have come about instead of this one. */
  join(other: Scope): void {
    this.cwds = union(this.cwds, other.cwds)
    for (const name of new Set([...this.#variables.keys(), ...other.#variables.keys()])) {
      const isNumber = this.isNumber(name) && other.isNumber(name)
      this.set(name, union(this.valuesOf(name), other.valuesOf(name)), isNumber)
    }
  }
}

function isSame(some: Values, others: Values): boolean {
  if (some === undefined || others === undefined) return some === others
  return some.length === others.length && some.every((value) => others.includes(value))
}

function union(some: Values, others: Values): Values {
  if (some === undefined || others === undefined) return undefined
  const all = [...new Set([...some, ...others])]
  return all.length > maxValues ? undefined : all
}
