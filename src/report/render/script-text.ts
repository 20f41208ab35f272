/**
 * JSON that may stand in a script, beside it in a page, and in a file of any encoding that keeps ASCII apart: no tag can
 * end in it, and lone halves of surrogate pairs are escaped by `JSON.stringify` itself.
 */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
