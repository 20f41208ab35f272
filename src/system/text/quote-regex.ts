/** Source of a regular expression that matches exactly the text. */
export function quoteRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}
