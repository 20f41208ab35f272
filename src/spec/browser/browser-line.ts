/** A text with values that were captured before: `"Order {{order}}"`. */
export type BrowserText = readonly (string | { readonly recall: string })[]

/** What is put into a control: a text, or a variable of the block's environment. */
export type BrowserValue = BrowserText | { readonly variable: string }

/** What a control is found by, besides its role. */
export const controlTexts = ['testid', 'label', 'placeholder', 'text', 'alt', 'title'] as const // names, for a union

interface ControlBase {
  /** Only those in which this text stands. */
  readonly hasText?: BrowserText
  /** Only those inside of one like this. */
  readonly within?: Control
}

/** How a control of a page is found. It has to be the only one. */
export type Control =
  | (ControlBase & {
      readonly by: 'role'
      /** ARIA role. */
      readonly role: string
      /** Its accessible name, or a part of it in any case. */
      readonly name?: BrowserText
      /** The name is whole, and its case counts. */
      readonly isExact?: true
    })
  | (ControlBase & {
      readonly by: (typeof controlTexts)[number]
      readonly name: BrowserText
      readonly isExact?: true
    })

/** Actions on a control that need nothing else. */
export const plainVerbs = ['click', 'double-click', 'right-click', 'hover', 'check', 'uncheck', 'focus'] as const // names

/** Actions on a control with a value; `select` and `upload` take several. */
export const valueVerbs = ['fill', 'type', 'select', 'upload'] as const // names, for a union

export type ControlVerb = (typeof plainVerbs)[number] | (typeof valueVerbs)[number]

/** One line of a `browser` block, without its place. */
export type BrowserCommand =
  /** Below the base URL where it begins with `/`. */
  | { readonly kind: 'goto'; readonly address: BrowserText }
  | {
      readonly kind: 'act'
      readonly verb: ControlVerb
      readonly control: Control
      readonly values: readonly BrowserValue[]
    }
  | { readonly kind: 'drag'; readonly control: Control; readonly to: Control }
  /** Without a control, where the focus is. The key as Playwright names it: `Enter`, `Control+A`. */
  | { readonly kind: 'press'; readonly control?: Control; readonly key: string }
  /** Answers the dialog that the line before opened. */
  | { readonly kind: 'dialog'; readonly accepts: boolean; readonly text?: BrowserValue }
  | { readonly kind: 'history'; readonly move: 'back' | 'forward' | 'reload' }
  /** A line of the page's aria snapshot, written as expected output, that is there or is not. */
  | { readonly kind: 'see'; readonly text: string; readonly isAbsent: boolean }

/** One line of a `browser` block, and the markdown line on which it stands. */
export type BrowserLine = BrowserCommand & { readonly line: number }
