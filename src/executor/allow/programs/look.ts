import type { Given } from '../line/words.ts'

/** What a command that only looks looks at. */
export type Look =
  | { readonly ok: true; readonly paths: readonly Given[] }
  /** With these arguments it does more than look. `isEvaluated`: the shell may run commands in the text of variables. */
  | { readonly ok: false; readonly why: string; readonly isEvaluated?: true }
