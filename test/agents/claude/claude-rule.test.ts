import { expect, test } from 'vitest'
import { claudeRule } from '../../../src/agents/claude/claude-events.ts'
import { unwrapShell } from '../../../src/agents/codex/codex-events.ts'

test.each([
  ['node notes.mjs add milk', 'Bash(node *)'],
  ['./tool.sh', 'Bash(./tool.sh *)'],
  ['CI=1 FOO=bar npm test', 'Bash(CI=1 FOO=bar npm *)'],
  ['cd app && npm test', 'Bash(npm *)'],
  ['echo hi; node x | head -1', 'Bash(node *)'],
  ['cd /tmp', undefined],
  ['$(evil) x', undefined],
  ['"/a b/tool" x', undefined],
  ['', undefined],
])('the rule for the command %j is %s', (command, rule) => {
  expect(claudeRule('Bash', { command })).toBe(rule)
})

test.each([
  ['Write', { file_path: '/etc/x' }, 'Edit(//etc/x)'],
  ['Edit', { file_path: 'a/x' }, 'Edit(a/x)'],
  ['WebFetch', { url: 'https://example.com/a' }, 'WebFetch(domain:example.com)'],
  ['WebFetch', { url: 'nonsense' }, 'WebFetch'],
  ['mcp__a__b', {}, 'mcp__a__b'],
  ['Bash', {}, undefined],
])('the rule for %s with %j is %s', (tool, input, rule) => {
  expect(claudeRule(tool, input)).toBe(rule)
})

test.each([
  [`/bin/bash -lc 'node x'`, 'node x'],
  [`/bin/bash -lc "cat 'a b'"`, `cat 'a b'`],
  [`bash -lc "echo \\"\\$HOME\\" \\\\ \\n"`, `echo "$HOME" \\ \\n`],
  [`/bin/zsh -lc 'it'"'"'s'`, `it's`],
  ['/bin/bash -lc ls', 'ls'],
  ['/bin/bash -lc ls -l', '/bin/bash -lc ls -l'],
  [`/bin/bash -lc 'open`, `/bin/bash -lc 'open`],
  ['node x', 'node x'],
])('unwraps %j to %j', (shown, command) => {
  expect(unwrapShell(shown)).toBe(command)
})
