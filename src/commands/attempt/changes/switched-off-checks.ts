import { isSource } from './file-kinds.ts'

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
  [/\.(?:pyx?|rb|p[lm]|r|exs?|nim|jl|graphql|gql)$/i, '#.*$'],
  [/\.(?:(?:ba|z)?sh|ya?ml|toml)$/i, '(?<!\\S)#(?!!).*$'],
  [/\.(?:sql|lua|hs|elm)$/i, '--.*$|\\{-[^]*?-\\}'],
  [/\.mli?$/i, '\\(\\*[^]*?\\*\\)'],
  [/\.[eh]rl$/i, '%.*$'],
  [/\.(?:x?html?|vue|svelte|astro|xaml|mdx|hbs|mustache)$/i, '<!--[^]*?-->|\\{\\{![^]*?\\}\\}|//.*$|/\\*[^]*?\\*/'],
  [/\.md$/i, '<!--[^]*?-->'],
]
const ordinaryForm = '//.*$|/\\*[^]*?\\*/'

/** Whether only comments differ, apart from blanks. False for a file whose comments are not known. */
export function differInComments(path: string, before: string, after: string): boolean {
  const known = commentForms.find(([extensions]) => extensions.test(path))
  if (known === undefined && !isSource(path)) return false
  const parted = new RegExp(`(${strings})|(${known?.[1] ?? ordinaryForm})|(?<=\\S)[^\\S\\n]+`, 'gm')
  const parts = [before, after].map((text) => ({
    code: text
      .replaceAll(parted, (_all, string?: string, comment?: string) => string ?? (comment === undefined ? ' ' : ''))
      .replaceAll(/[^\S\n]+$|^\s*\n/gm, '')
      .trim(),
    comments: [...text.matchAll(parted)].flatMap(([, , comment]) => comment?.replaceAll(/\s+/g, '') ?? []).join(),
  }))
  return parts[0]?.code === parts[1]?.code && parts[0]?.comments !== parts[1]?.comments
}

function suppressionsIn(text: string): string[] {
  return [...text.matchAll(suppression)].map(([word]) => word.trim().replaceAll(/\s+/g, ' '))
}
