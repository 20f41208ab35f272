/** One thing to do in a browser, or to look for on the page that it shows. */
export type Move =
  | { readonly kind: 'open'; readonly path: string }
  /** Uses the element with this role and name; `input` goes to the tool beside its ref. */
  | { readonly kind: 'use'; readonly tool: string; readonly element: Element; readonly input: Input }
  | { readonly kind: 'call'; readonly tool: string; readonly input: Input }
  /** Looks for a line of the page. Each is a check of the step, in order. */
  | { readonly kind: 'see'; readonly pattern: RegExp; readonly isAbsent: boolean }

interface Element {
  readonly role: string
  readonly name: string
}

type Input = Readonly<Record<string, unknown>>

/** The moves of each step. What comes of them is not in here. */
export type BrowserScript = readonly (readonly Move[])[]

/** Opens a path of the application. */
export function open(path: string): Move {
  return { kind: 'open', path }
}

/** Clicks on what has this role and name. */
export function click(role: string, name: string): Move {
  return { kind: 'use', tool: 'browser_click', element: { role, name }, input: {} }
}

/** Fills a field; `submit` presses Enter. */
export function fill(name: string, text: string, { role = 'textbox', submit = false } = {}): Move {
  return { kind: 'use', tool: 'browser_type', element: { role, name }, input: { text, submit } }
}

/** Calls a tool that has to do with the page as a whole. */
export function call(tool: string, input: Input = {}): Move {
  return { kind: 'call', tool, input }
}

/** The page has to have a line like this. */
export function see(pattern: RegExp): Move {
  return { kind: 'see', pattern, isAbsent: false }
}

/** The page must not have a line like this. */
export function seeNot(pattern: RegExp): Move {
  return { kind: 'see', pattern, isAbsent: true }
}
