const suppression = new RegExp(
  [
    String.raw`(?:(?<!/)//+|/\*+|(?<!#)#+|--)[^\S\n]*(?:no(?:lint|qa|pmd|sec|inspection)(?:(?:next|begin|end)\w*)?\b|ignore(?:_for_file)?:[^\S\n]*\w+[^\S\n]*(?:,|$))`,
    String.raw`@ts-(?:nocheck|ignore|expect-error)\b|@flow\b.*\bignore|\$FlowFixMe|^\s*declare\s+(?:global\b|module\s+['"]).*`,
    String.raw`\b(?:eslint|oxlint|tslint|stylelint|rubocop|swiftlint|ktlint|phpcs|biome|shellcheck|deno-lint|jshint|luacheck|clang-format|yamllint|resharper|hlint|elvis|isort|nullable)[-:\s]+(?:disable|ignore|off|skip)[\w-]*`,
    String.raw`#\s*(?:type:\s*ignore|pylint:\s*disable|mypy:\s*ignore|pyright:|pyre-|pragma:\s*no\s?cover|ruff:\s*noqa)`,
    String.raw`\b(?:istanbul|c8|v8)\s+ignore\b|\bNOSONAR\b|@(?:phpstan-ignore|psalm-suppress|codingStandards\w+)`,
    String.raw`#!?\[(?:(?:allow|expect|cfg_attr|coverage)\(|rustfmt::skip)|\[@+warning\b|@Suppress(?:Warnings)?\b|#pragma\s+(?:warning\s+disable|GCC\s+diagnostic\s+ignored)`,
    String.raw`/\*\s*(?:globals?|exported|eslint(?:-env)?)\s[^*]*|\bsvelte-ignore\s+\S+|\b(?:fmt|yapf):\s*(?:off|skip|disable)|\bprettier-ignore\b|\b(?:cspell|codespell):\s*\w+`,
    String.raw`^//go:build\b.*|^// \+build\b.*|\bcoverage:ignore\b|@codeCoverageIgnore\b|-Wno-\w+`,
    // Matches comments that begin with `tool-ignore` or `tool:off`. Not `tool-off`: prose contains `one-off`.
    String.raw`(?=[@$]?\w)(?<=(?:^|\s)(?://+|/\*+|#+[^\S\n]|--[^\S\n]|<!--|\{[{-]!?|\(\*|%+|\*)[^\S\n]*)[@$]?\w[\w.:]*(?:-\w+)*(?:-(?:disable|ignore|suppress)|:(?:disable|ignore|off|skip|suppress))\b[\w:-]*`,
  ].join('|'),
  'gim',
)

export function addedSuppression(before: string | undefined, after: string): string | undefined {
  const left = suppressionsIn(before ?? '')
  for (const word of suppressionsIn(after)) {
    const at = left.indexOf(word)
    if (at === -1) return word
    left.splice(at, 1)
  }
  return undefined
}

const strings = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\`(?:\\.|[^\`\\])*\``
const commentForms: readonly (readonly [extensions: RegExp, form: string])[] = [
  [/\.(?:pyx?|rb|sh|p[lm]|r|exs?|nim|jl|graphql|gql)$/i, '#.*$'],
  [/\.(?:sql|lua|hs|elm)$/i, '--.*$|\\{-[^]*?-\\}'],
  [/\.mli?$/i, '\\(\\*[^]*?\\*\\)'],
  [/\.[eh]rl$/i, '%.*$'],
  [/\.(?:x?html?|vue|svelte|astro|xaml|mdx|hbs|mustache)$/i, '<!--[^]*?-->|\\{\\{![^]*?\\}\\}|//.*$|/\\*[^]*?\\*/'],
  [/./, '//.*$|/\\*[^]*?\\*/'],
]

export function differInComments(path: string, before: string, after: string): boolean {
  const [, form = ''] = commentForms.find(([extensions]) => extensions.test(path)) ?? []
  const comments = new RegExp(`(${strings})|(${form})`, 'gm')
  const parts = [before, after].map((text) => ({
    code: text
      .replaceAll(comments, '$1')
      .replaceAll(/[^\S\n]+$|^\s*\n/gm, '')
      .trim(),
    comments: [...text.matchAll(comments)].map(([, , comment = '']) => comment.replaceAll(/\s+/g, ' ').trim()).join(),
  }))
  return parts[0]?.code === parts[1]?.code && parts[0]?.comments !== parts[1]?.comments
}

function suppressionsIn(text: string): string[] {
  return [...text.matchAll(suppression)].map(([word]) => word.trim().replaceAll(/\s+/g, ' '))
}
