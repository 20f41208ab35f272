/** A fence of the language, with three backticks. */
export function fence(language: string, ...lines: readonly string[]): string {
  return ['```' + language, ...lines, '```', ''].join('\n')
}

const stopping = '---\nagent: none\nafter-failure: stop\n---\n\n'
export const head = '---\nagent: none\n---\n\n'
const including = (file: string): string => `---\nagent: none\ninclude: [${file}]\n---\n\n`
const table = (...rows: readonly string[]): string =>
  `### Examples\n\n| name |\n| ---- |\n${rows.map((row) => `| ${row} |\n`).join('')}`
const inRows = (rows: readonly string[], ...lines: readonly string[]): string =>
  `${head}# A\n\n## Greet\n\n${fence('console', ...lines)}\n${table(...rows)}`
export const mismatch = fence('console', '$ echo new', 'old')

/** Texts of files, before `-u` and after. */
type Rewritten = readonly [before: string, after: string]

const replaced = (before: string, ...pairs: readonly (readonly [from: string, to: string])[]): Rewritten => [
  before,
  pairs.reduce((text, [from, to]) => text.replace(from, to), before),
]

/** What `-u` rewrites, and nothing else of it. Each passes afterwards. */
export const rewritten: Readonly<Record<string, Rewritten>> = {
  'lines.test.md': replaced(
    `${head}# A\n\n${fence('console', '$ printf "one\\n2\\nthree\\nfour\\n"', 'one', '\\d (re)', 'tree', '...', '$ true', 'gone', '$ echo new')}\n\ttail  \n`,
    ['tree\n...\n', 'three\n...\n'],
    ['gone\n', ''],
    ['$ echo new', '$ echo new\nnew'],
  ),
  'exit-codes.test.md': [
    `${head}# A\n\n${fence('console', '$ echo a; (exit 3)', 'b', '', '$ (exit 4)', '[5]', '', '$ true', '[1]', '', '$ echo "[7]"', '[7]', '[1]', '$ true', '[0]')}`,
    `${head}# A\n\n${fence('console', '$ echo a; (exit 3)', 'a', '[3]', '$ (exit 4)', '[4]', '', '$ true', '$ echo "[7]"', '[7] (equal)', '$ true', '[0]')}`,
  ],
  'fences.test.md': replaced(
    `${head}# A\n\n${fence('sh', 'echo out; echo err >&2')}\n${fence('stdout')}\n${fence('stderr', '')}\n${fence('sh', 'echo unseen')}\n1. - ${fence('sh', 'echo in a list; echo').replaceAll('\n', '\n     ')}\n     ~~~output\n     old\n     ~~~\n`,
    ['```stdout\n', '```stdout\nout\n'],
    ['```stderr\n\n', '```stderr\nerr\n'],
    ['     old\n', '     in a list\n\n'],
  ),
  'windows.test.md': replaced(`\uFEFF${head}# A\n\n${mismatch}`.replaceAll('\n', '\r\n'), ['old', 'new']),
  'captures.test.md': replaced(
    `${head}# A\n\n${fence('console', '$ printf "id 7\\nb\\n"', 'id {{id:/\\d+/}}', 'a', '$ echo 7 of b', '{{id}} of b')}\n## Next\n\n${fence('console', '$ printf "c\\n7\\n"', 'x', '{{id}}')}`,
    ['\na\n', '\nb\n'],
    ['\nx\n', '\nc\n'],
  ),
  'rows.test.md': replaced(inRows(['Ada', 'Bob'], '$ printf "hi <name>\\nnew\\n"', 'hi <name>', 'old'), [
    '\nold',
    '\nnew',
  ]),
  // Each scenario begins anew, the last try counts.
  'retried.test.md': replaced(
    `---\nagent: none\ncwd: temp\n---\n\n# A\n\n## One\n\n${fence('console', '$ echo x >> "$TESTDIR/tries"; wc -l < "$TESTDIR/tries"', 'old')}\n## Two\n\n<!-- mdtest: retry=2 -->\n\n${fence('sh', 'n=$(wc -l < "$TESTDIR/tries"); rm -f "$TESTDIR/tries.$n"; [ "$n" -ge 2 ] && echo x > "$TESTDIR/tries"')}`,
    ['old', '2'],
  ),
  'repeated.test.md': replaced(
    `---\nagent: none\nrepeats: 2\n---\n\n# A\n\n## One\n\n${mismatch}\n## Known\n\n<!-- mdtest: fails -->\n\n${mismatch}`,
    ['old', 'new'],
  ),
  'including.test.md': replaced(`${including('./shared.md')}# A\n\n## Own\n\n${mismatch}`, ['old', 'new']),
  'including-too.test.md': replaced(`${including('./shared.md')}# A\n\n## Own\n\n${mismatch}`, ['old', 'new']),
  'shared.md': replaced(`## Shared\n\n${mismatch}`, ['old', 'new']),
}

interface Refused {
  readonly text: string
  readonly message: string
  /** The text afterwards, where a part of it was rewritten. */
  readonly after?: string
}

const twoSteps = `${head}# A\n\n## One\n\n${mismatch}\n## Two\n\n${fence('console timeout=300ms', '$ echo new', 'old', '$ sleep 60')}\n## Three\n\n${mismatch}`

/** What `-u` does not write, and why. Each fails. */
export const refused: Readonly<Record<string, Refused>> = {
  'read-only.test.md': {
    text: `${head}# A\n\n${mismatch}`,
    message: 'Not rewritten: the file is read-only.',
  },
  'secret.test.md': {
    text: `---\nagent: none\nenv:\n  TOKEN: hunter22hunter\n---\n\n# A\n\n${fence('console', '$ echo "$TOKEN x"', 'old')}`,
    message: 'Not rewritten: The output holds a secret',
  },
  'other-reason.test.md': { text: twoSteps, message: 'BLOCK_TIMEOUT', after: twoSteps.replace('old', 'new') },
  'exit-code.test.md': {
    text: `${head}# A\n\n${fence('sh', 'echo new; false')}\n${fence('output', 'old')}`,
    message: 'ended with exit code 1, expected 0',
  },
  'changed.test.md': {
    text: `${stopping}# A\n\n## One\n\n${mismatch}\n## Two\n\n${fence('sh', 'echo >> changed.test.md')}`,
    message: 'the file has changed since the spec was read',
    after: `${stopping}# A\n\n## One\n\n${mismatch}\n## Two\n\n${fence('sh', 'echo >> changed.test.md')}\n`,
  },
  'recalled.test.md': {
    text: `${head}# A\n\n## One\n\n${fence('console', '$ echo new', 'old {{name:/.*/}}')}\n## Two\n\n${fence('console timeout=300ms', '$ sleep 60; false', '{{name}}')}`,
    message:
      'the spec would have a problem then (line 18: `{{name}}` uses a captured value, but nothing that runs before captures `name`',
  },
  'placeholder-line.test.md': {
    text: inRows(['Ada'], '$ echo "bye <name>"', 'hi <name>'),
    message: 'line 11 holds a placeholder of the table',
  },
  'other-rows.test.md': {
    text: inRows(['Ada', 'Bob'], '$ echo "<name>"', 'old'),
    message: 'this block runs several times, with other output each time',
  },
  'one-row-matches.test.md': {
    text: inRows(['Ada', 'Bob'], '$ [ {{name}} = Ada ] && echo "Ada" || echo old', 'old'),
    message: 'this block runs several times, with other output each time',
  },
  'like-a-placeholder.test.md': {
    text: inRows(['Ada'], `$ : "<name>"; printf '{{%s}}\\n' name`, 'old'),
    message: 'the output holds what would be read as a placeholder',
  },
  'scenarios.test.md': {
    text: `${including('./counted.md')}# A\n\n${fence('sh', 'true')}\n# B\n\n${fence('sh', 'true')}`,
    message: 'this block runs several times, with other output each time',
  },
}

/** Included by one of these. */
export const counted = `## Shared\n\n${fence('console', '$ echo x >> count; wc -l < count', '0')}`
