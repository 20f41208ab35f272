import type { Shell } from '../system/shell/open-shell.ts'
import { ownCopy } from '../system/mdtest-package.ts'
import { isVariableName } from './expected-output/parse-template.ts'

/** Limit for all captured values of a scenario, in UTF-16 code units. */
const maxCapturedCharacters = 4 * 1024 * 1024

export class Captures {
  values: ReadonlyMap<string, string> = new Map()
  /** Captured values as shell variables. Includes values of failed blocks, because a teardown may need them. */
  variables: ReadonlyMap<string, string> = new Map()
  #row: string | undefined
  #before: Pick<Captures, 'values' | 'variables'> = this

  /** Keeps the values of a passed block. Returns a message if all values together are too large. */
  keep(found: ReadonlyMap<string, string>): string | undefined {
    const values = new Map(this.values)
    for (const [name, value] of found) if (values.get(name) !== value) values.set(name, ownCopy(value))
    this.values = values
    const sum = [...values.values()].reduce((length, value) => length + value.length, 0)
    if (sum <= maxCapturedCharacters) return undefined
    return `The values that the scenario has captured have ${sum} characters together, more than ${maxCapturedCharacters}. Capture less: a part of a line, or fewer names.`
  }

  async export(found: ReadonlyMap<string, string>, shell: Shell): Promise<string | undefined> {
    const variables = new Map([...found].filter(([name]) => isVariableName(name)))
    if (variables.size === 0) return undefined
    const [nul] = [...variables].find(([, value]) => value.includes('\0')) ?? []
    if (nul !== undefined) return `\`${nul}\` captured a NUL, which no variable can hold. Capture a part without it.`
    this.variables = new Map([...this.variables, ...variables])
    return shell.define(variables)
  }

  /** At each new row and after the table, restores the values from before the table. `row`: absent outside a table. */
  async enterRow(row: string | undefined, shell: Shell): Promise<string | undefined> {
    if (row === this.#row) return undefined
    if (this.#row === undefined) this.#before = { values: this.values, variables: this.variables }
    this.#row = row
    const { values, variables } = this.#before
    const changed = [...this.variables].filter(([name, value]) => variables.get(name) !== value)
    this.values = values
    this.variables = variables
    if (changed.length === 0) return undefined
    return shell.define(new Map(changed.map(([name]) => [name, variables.get(name)])))
  }
}

export class BlockCaptures extends Map<string, string> {
  readonly #added = new Map<string, string>()

  constructor(values: ReadonlyMap<string, string>) {
    super()
    for (const [name, value] of values) super.set(name, value)
  }

  override set(name: string, value: string): this {
    this.#added.set(name, value)
    return super.set(name, value)
  }

  drainAdded(): ReadonlyMap<string, string> {
    const added = [...this.#added].filter(([name]) => this.has(name))
    this.#added.clear()
    return new Map(added)
  }
}
