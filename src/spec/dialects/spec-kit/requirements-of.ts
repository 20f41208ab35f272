/** The requirements and success criteria that a text names, for example `FR-003` and `SC-001`: each once, in its order. */
export function requirementsOf(text: string): readonly string[] {
  return [...new Set(text.match(/(?<![\p{L}\p{N}_-])(?:FR|NFR|SC)-\d+[a-z]?(?![\p{L}\p{N}_])/gu))]
}
