// What `ts` and `js` blocks of a spec find in scope, for editors and type checkers that look into markdown:
// `/// <reference types="vitest-mdtest/blocks" />`, or `"types": ["vitest-mdtest/blocks"]` in a tsconfig.json.
import type { ExpectStatic } from 'vitest'
import type { ModuleScope } from '../dist/blocks/module/module-scope.js'

// oxlint-disable-next-line typescript/ban-ts-comment -- the package is optional
// @ts-ignore
type Connect = typeof import('@playwright/mcp').createConnection
type Context = Awaited<ReturnType<NonNullable<Parameters<Connect>[1]>>>
type Page = Awaited<ReturnType<Context['newPage']>>

declare global {
  /** Vitest's `expect`, of the step's own test. */
  const expect: ExpectStatic
  /** Runs a command in the scenario's shell: `` const { stdout } = await $`npm test` ``. */
  const $: ModuleScope['$']
  /** Reads a text file; a relative path starts at `dir`. */
  const readFile: ModuleScope['readFile']
  /** What earlier blocks captured, by name. */
  const captures: ModuleScope['captures']
  /** Absolute path of the scenario's working directory, or of the block's `cwd` in it. */
  const dir: string

  // Of `ts browser` blocks alone.

  /** Playwright's page. `goto` takes a path below the base URL. */
  const page: Page
  /** Waits until the page has a line of its aria snapshot; `see.not` until it has none. */
  const see: ((line: string) => Promise<void>) & { not(line: string): Promise<void> }
  /** A variable as the shell of the scenario has it, or a one-time code of `totp`. Its value is never shown. */
  const secret: (name: string) => string
  /** Answers the dialog that the call before has opened. */
  const dialog: { accept(text?: string): Promise<void>; dismiss(): Promise<void> }
  /** Mails of `mailbox`. `wait` captures what the next one holds, as `NAME_link1`, `NAME_code1`, … */
  const mailbox: { newAddress(): string; wait(name: string, address: string, subject?: string): Promise<void> }
  /** Gives files of the scenario's directory to what the call before has asked for. */
  const fileChooser: { setFiles(files: string | readonly string[]): Promise<void> }
}
