import type { PickleTag } from '@cucumber/messages'

/** Tags without `@`, each once. What filters of tags use, as in `@issue(12)`, becomes `-`: `issue-12-`. */
export function toTags(tags: readonly PickleTag[]): readonly string[] {
  return [...new Set(tags.map(({ name }) => name.replace(/^@/, '').replace(/[\s!*&|(),]/g, '-')))]
}
