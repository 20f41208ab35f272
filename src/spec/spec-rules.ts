import type { Located } from './spec.ts'

/** Every rule that a spec can break: stable id, and what it says in one line. `docs/spec-rules.md` lists the same. */
export const specRules = {
  'spec-too-large':
    'A spec has at most 4 MiB, and outside of fences at the first column only as much as can be parsed in seconds.',
  'invalid-utf8': 'A spec is UTF-8 throughout.',
  'nul-byte': 'A spec is text: it holds no NUL byte.',
  'vitest-comment': 'A spec holds no `@vitest-environment` followed by a word, which Vitest would act on.',
  'unreadable-markdown': 'The markdown can be parsed; it is not nested thousands of levels deep.',
  'empty-spec': 'A spec holds at least a heading, prose or a block.',
  'nothing-to-execute': 'Without an agent a spec holds at least one block that mdtest executes.',
  'front-matter-unterminated': 'Front matter that begins with `---` on line 1 is closed by a line `---`.',
  'front-matter-misplaced': 'Front matter begins on the first line of the file, at its first column.',
  'front-matter-yaml': 'Front matter is valid YAML 1.2 with unique keys.',
  'front-matter-not-a-mapping': 'Front matter is a mapping: `key: value` lines.',
  'front-matter-unknown-key': 'Front matter keys are the documented ones, or begin with `x-`.',
  'front-matter-bad-value': 'Each front matter key has a value of its documented type and range.',
  'include-path': 'An entry of `include` is the relative path of an `.md` file that is no spec, given once.',
  'include-unreadable': 'An included file is inside the suite root and can be read.',
  'include-cycle': 'Included files do not include each other in a circle, nor more than 8 levels deep.',
  'include-scenarios': 'An included file has at most one H1: it is part of a scenario.',
  'unknown-agent': 'The agent of the front matter is one that mdtest knows.',
  'check-without-agent': 'A check `- [ ]` needs an agent that judges it.',
  'check-outside-step': 'A check `- [ ]` belongs to a step, not to a group, a hook or a context heading.',
  'verify-outside-step': 'A `verify` block belongs to a step; in front of steps there is only `run`.',
  'block-in-context': 'Context headings (`Notes`, `Background`, `Context`, `References`) hold no executed blocks.',
  'block-in-quote': 'An executed block is not inside a block quote or a footnote.',
  'duplicate-hook': 'A scenario has at most one `Setup`/`Before` and one `Teardown`/`After`.',
  'hook-needs-agent-step': 'Prose in a hook needs a step for the agent, which is started with the first one.',
  'unknown-language':
    'A `run` or `verify` block is in a language that mdtest executes; without an agent so is all code, unless it is `text` or `skip`.',
  'unknown-attribute': 'The attributes of a block are the documented ones for its kind.',
  'duplicate-attribute': 'An attribute of a block is given once.',
  'bad-attribute-value': 'Each attribute of a block has a value of its documented form.',
  'attribute-conflict': 'The attributes of a block fit together, and to its role and its `output` fence.',
  'duplicate-file': 'A file is written once under a heading.',
  'file-in-project': 'A `file=` block needs a working directory of its own: `cwd: temp` or `cwd: copy`.',
  'conflicting-roles': 'A block is one of `run`, `verify` and `file=`.',
  'empty-block': 'An executed block holds code.',
  'unterminated-fence': 'A fence is closed.',
  'swallowed-block':
    'No block and no heading disappears inside another fence, raw HTML, indented code or an open comment.',
  'output-without-script': 'An `output`, `stdout` or `stderr` fence directly follows the script it belongs to.',
  'output-after-console': 'A `console` transcript holds its expected output itself.',
  'duplicate-output': 'A script has one `output` fence, or one `stdout` and one `stderr`.',
  'empty-transcript': 'A `console` block holds at least one `$ ` command.',
  'output-before-command': 'A `console` block begins with a `$ ` command.',
  'empty-command': 'Each `$ ` of a `console` block has a command.',
  'unfinished-command': 'A line of a command that ends in `\\` is followed by another one.',
  'bad-exit-code': 'An exit code `[N]` of a `console` block is 0 to 255.',
  'bad-pattern': 'The patterns of expected output can be read.',
  'unknown-capture': 'A name `{{name}}` in expected output was captured before in its scenario.',
  'duplicate-capture': 'A block captures a name once.',
  'capture-name':
    'A captured name is free for a variable: it is not in capitals, and no proxy or package manager has it.',
  'capture-in-command': 'A command has what was captured as a variable, `"$name"`: `{{name}}` is not filled in.',
  'examples-misplaced':
    'A heading `Examples` with a table stands once below a step, which has no other steps below it.',
  'examples-content': 'Below `Examples` stands one table with at least one row, and nothing else.',
  'examples-column': 'A column of `Examples` has a name of its own, is used by its step, and is no capture.',
  'examples-row': 'A row of `Examples` has as many cells as its header.',
  'unterminated-directive': 'A comment `<!-- mdtest: … -->` is closed.',
  'misplaced-directive':
    'A comment `<!-- mdtest: … -->` stands right under a heading or directly above an executed block.',
  'empty-directive': 'A comment `<!-- mdtest: … -->` says something.',
  'unknown-directive': 'The words of a directive are the documented ones for its place.',
  'duplicate-directive': 'A word of a directive is given once.',
  'bad-directive-value': 'Each word of a directive has a value of its documented form.',
  'scrut-config': 'The configuration of a scrut test case or document is valid YAML of known keys and values.',
  'scrut-unsupported': 'A scrut test case or document asks for nothing that has no counterpart here.',
  'needs-reports':
    'No block stands between two parts for the agent, and no step of several has a `timeout`, where the agent reports nothing in between.',
} as const

export type SpecRuleId = keyof typeof specRules

/** Takes note of one problem. */
export type Report = (ruleId: SpecRuleId, place: Located, message: string) => void
