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
  /** The first one below a line with this text. */
  readonly below?: string
}

type Input = Readonly<Record<string, unknown>>

/** The moves of each step. What comes of them is not in here. */
export type BrowserScript = readonly (readonly Move[])[]

/** Opens a path of the application. */
export function open(path: string): Move {
  return { kind: 'open', path }
}

/** Clicks on what has this role and name, the first one below a line with this text. */
export function click(role: string, name: string, below?: string): Move {
  return use('browser_click', { role, name, ...(below !== undefined && { below }) })
}

/** Calls a tool that takes the element. */
export function use(tool: string, element: Element, input: Input = {}): Move {
  return { kind: 'use', tool, element, input }
}

/** Fills a field; `submit` presses Enter. */
export function fill(
  name: string,
  text: string,
  { role = 'textbox', submit = false, ...element }: { role?: string; submit?: boolean; below?: string } = {},
): Move {
  return use('browser_type', { role, name, ...element }, { text, submit })
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
