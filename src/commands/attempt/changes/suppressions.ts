/** Words in code by which a compiler, a linter or a coverage tool says less. */
const suppression = new RegExp(
  [
    String.raw`@ts-(?:nocheck|ignore|expect-error)\b|@flow\b.*\bignore|^\s*declare\s+(?:global\b|module\s+['"]).*`,
    String.raw`\b(?:eslint|oxlint|tslint|stylelint|rubocop|swiftlint|ktlint|phpcs|biome|shellcheck|deno-lint)[-:\s]+(?:disable|ignore)[\w-]*`,
    String.raw`#\s*(?:type:\s*ignore|noqa|pylint:\s*disable|mypy:\s*ignore|pyright:|pyre-|pragma:\s*no\s?cover|ruff:\s*noqa|nosec)`,
    String.raw`//\s*nolint\b|\b(?:istanbul|c8|v8)\s+ignore\b|\bNOSONAR\b|@phpstan-ignore|@psalm-suppress`,
    String.raw`#!?\[(?:allow|expect|cfg_attr|coverage)\(|@Suppress(?:Warnings)?\b|#pragma\s+(?:warning\s+disable|GCC\s+diagnostic\s+ignored)`,
    String.raw`^//go:build\b.*|^// \+build\b.*|\bcoverage:ignore\b|@codeCoverageIgnore\b|-Wno-\w+`,
  ].join('|'),
  'gim',
)

/** The first of such words that a change adds; `undefined` where it adds none. Pure. */
export function addedSuppression(before: string | undefined, after: string): string | undefined {
  const left = suppressionsIn(before ?? '')
  for (const word of suppressionsIn(after)) {
    const at = left.indexOf(word)
    if (at === -1) return word
    left.splice(at, 1)
  }
  return undefined
}

function suppressionsIn(text: string): string[] {
  return [...text.matchAll(suppression)].map(([word]) => word.trim().replaceAll(/\s+/g, ' '))
}
