const top = '---\nagent: none\n---\n\n'
const block = '```sh\ntrue\n```\n'

/** Nine times nine times … of one word. */
const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]', ...[...'bcdefgh'].map(nineOfTheOneBefore)].join('\n')

function nineOfTheOneBefore(name: string, index: number): string {
  return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefgh'[index]}`).join(',')}]`
}

/** Specs by name, with what their failure has to say and where. */
export const badSpecs: Readonly<Record<string, readonly [content: string | Buffer, message: RegExp]>> = {
  big: [`${top}# Big\n\n${block}${'x'.repeat(10e6)}`, /^big\.test\.md:1:1 .*larger than/m],
  nul: [`${top}# A\n\nNUL \0 here\n\n${block}`, /^nul\.test\.md:7:5 .*NUL byte/m],
  'utf-16': [Buffer.from(`\uFEFF${top}# A\n\n${block}`, 'utf16le'), /^utf-16\.test\.md:1:1 .*Save the file as UTF-8/m],
  'invalid-utf-8': [
    Buffer.concat([Buffer.from(`${top}# A \uFFFD`), Buffer.from([0xff, 0xe9]), Buffer.from(`\n\n${block}`)]),
    /^invalid-utf-8\.test\.md:5:6 .*not valid UTF-8/m,
  ],
  'vitest-comment': [
    `${top}${'// @'}vitest-environment nonsense\n\n# A\n\n${block}`,
    /^vitest-comment\.test\.md:5:4 .*instruction to itself/m,
  ],
  'open-fence': [`${top}# A\n\n\`\`\`sh\ntrue\n\n# B\n`, /^open-fence\.test\.md:7:1 .*never closed/m],
  'open-directive': [`${top}# A\n\n<!-- mdtest: skip\n\n${block}`, /^open-directive\.test\.md:7:1 .*not closed/m],
  'open-comment': [`${top}# A\n\n${block}\n<!-- note\n\n${block}`, /^open-comment\.test\.md:11:1 .*not closed/m],
  'matter-bomb': [`---\n${bomb}\n---\n\n# A\n\n${block}`, /^matter-bomb\.test\.md:1:1 .*alias/m],
  'matter-proto': [`---\nagent: none\n__proto__: { a: 1 }\n---\n\n# A\n\n${block}`, /^matter-proto\.test\.md:3:1 /m],
  'matter-alone': [top, /^matter-alone\.test\.md:1:1 .*empty/m],
  empty: ['', /^empty\.test\.md:1:1 .*empty/m],
  blank: [' \n\n\t\n', /^blank\.test\.md:1:1 .*empty/m],
}

/** Odd, but right: each is the tests that it shows. */
export const oddSpecs: Readonly<Record<string, readonly [content: string, tests: readonly string[]]>> = {
  bom: [`\uFEFF${top}# A\n\n${block}`, ['A']],
  'windows-lines': [`${top}# A\n\n\`\`\`console\n$ echo hi\nhi\n\`\`\`\n`.replaceAll('\n', '\r\n'), ['A']],
  'windows-output': [`${top}# A\n\n\`\`\`console\n$ printf 'a\\r\\nb\\r\\n'\na\nb\n\`\`\`\n`, ['A']],
  'deep-list': [`${top}# A\n\n${nestedList(100)}\n\n${block}`, ['A']],
  'deep-quote': [`${top}# A\n\n${'> '.repeat(100)}x\n\n${block}`, ['A']],
  'open-brackets': [`${top}# A\n\n${'['.repeat(3000)} ${'*a '.repeat(3000)}\n\n${block}`, ['A']],
  'deep-headings': [`${top}${headings(9)}${block}`, ['H1 > H2 > H3 > H4 > H5 > H6']],
  'huge-matter': [`---\nagent: none\n${extraKeys(2000)}\n---\n\n# A\n\n${block}`, ['A']],
  'heading-in-fence': [`${top}# A\n\n\`\`\`text\n# Not a heading\n\`\`\`\n\n${block}`, ['A']],
  'html-heading': [`${top}# <b onclick="x">A</b> <!-- c -->\n\n<h2>Not</h2>\n\n${block}`, ['A']],
  'replacement-character': [`${top}# A \uFFFD\n\n${block}`, ['A \uFFFD']],
  'vitest-comment-named': [`${top}${'`@'}vitest-environment\` is not for specs.\n\n# A\n\n${block}`, ['A']],
  'vitest-tag': [`${top}${'// @'}module-tag foo\n\n# A\n\n${block}`, ['A']],
  'import-statement': [`${top}# A\n\nimport x from "nowhere"\n\n${block}`, ['A']],
}

function nestedList(depth: number): string {
  return Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}- x`).join('\n')
}

/** A heading has six levels at most; what has more signs is text. */
function headings(count: number): string {
  return Array.from({ length: count }, (_, index) => `${'#'.repeat(index + 1)} H${index + 1}\n\n`).join('')
}

function extraKeys(count: number): string {
  return Array.from({ length: count }, (_, n) => `x-k${n}: ${n}`).join('\n')
}

/** Names of specs, which all run. */
export const oddNames = [
  'sp ace/a b.test.md',
  `quo'te"d.test.md`,
  'dol$lar$1.test.md',
  'ha#sh.test.md',
  '#first.test.md',
  'dir#h/x.test.md',
  'per%cent.test.md',
  'per%20cent.test.md',
  'uni é 日本 😀.test.md',
  'brack[1].test.md',
  'par(en).test.md',
  'a&b;c.test.md',
  'curly{a,b}.test.md',
  'tilde~ plus+.test.md',
  '!bang.test.md',
  '-dash.test.md',
  '@at.test.md',
  'com,ma.test.md',
  'col:on.test.md',
  'x.test.md:3.test.md',
  '`tick`${x}.test.md',
  'new\nline.test.md',
  'trailing .test.md',
  '.test.md',
]

/** Vite takes `?` for the start of a query and a backslash for a slash: such a spec fails, but it never passes unseen. */
export const impossibleNames = ['que?stion.test.md', 'dir?q/x.test.md', 'back\\slash.test.md']

/** Titles as written, and as they have to appear. */
export const oddTitles: readonly (readonly [written: string, title: string])[] = [
  ['say "it\'s" a ``x`y``', 'say "it\'s" a x`y'],
  ['"double" \'single\' \\`tick\\`', '"double" \'single\' `tick`'],
  ['costs ${process.exit(1)} or $5 $name', 'costs ${process.exit(1)} or $5 $name'],
  ['${a} "b" \'c\'', '${a} "b" \'c\''],
  ['${a} "b" \'c\' \\`d\\`', '${a} "b" \'c\' `d`'],
  ['emoji 👩‍👩‍👧 😀', 'emoji 👩‍👩‍👧 😀'],
  ['שלום مرحبا', 'שלום مرحبا'],
  ['\u202Eoverride', '\u202Eoverride'],
  ['back\\\\slash \\\\n \\\\u0041', 'back\\slash \\n \\u0041'],
  ['trailing \\\\', 'trailing \\'],
  ['*/ // end', '*/ // end'],
  ['100% of %s and %d %%', '100% of %s and %d %%'],
  ['a > b > c', 'a > b > c'],
  ['x'.repeat(1000), 'x'.repeat(1000)],
  ['**bold** and [link](http://x)', 'bold and link'],
  ['<b>tag</b> and &amp; entity', 'tag and & entity'],
  ['(a|b)* [c]+ ^d$', '(a|b)* [c]+ ^d$'],
  ['control \u0007 bell', 'control \u0007 bell'],
  ['line\u2028separator', 'line separator'],
  ['__proto__', 'proto'],
  ['\\_\\_proto\\_\\_', '__proto__'],
  ['constructor', 'constructor'],
  ['{"json": [1]}', '{"json": [1]}'],
  ['<%= x %> {{y}} #{z}', '<%= x %> {{y}} #{z}'],
  ['equal', 'equal'],
  ['equal', 'equal (2)'],
  ['equal (2)', 'equal (2) (2)'],
  ['skip', 'skip'],
  ['\\# hash \\#', '# hash #'],
]

/** A spec of these titles, and one that is plain. */
export const titlesSpec = `${top}# Odd\n\n${[...oddTitles, ['Plain', 'Plain'] as const].map(([written]) => `## ${written}\n\n${block}`).join('\n')}`
