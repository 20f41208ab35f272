import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A text of the product, and what stands there in the broken one. */
interface Bug {
  readonly file: string
  readonly from: string
  readonly to: string
}

/** A product of `examples/` or `fixtures/`, and a spec for it. */
export interface HandsSpec {
  readonly name: string
  /** Files of the product by path in the folder of the spec. */
  readonly files: Readonly<Record<string, string>>
  readonly allow: string
  /** Front matter besides agent, directory and rules. */
  readonly front?: string
  readonly body: string
  readonly bug: Bug
  /** Of each step of the broken product. */
  readonly broken: readonly string[]
}

const repository = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string): string => readFileSync(`${repository}${file}`, 'utf8')
const bodyOf = (spec: string): string => read(spec).replace(/^---\n[\s\S]*?\n---\n/, '')

const notes = { 'notes.mjs': read('examples/notes/notes.mjs'), 'store.mjs': read('examples/notes/store.mjs') }
const notesRule = 'Bash(node notes.mjs *)'

/** All files of the shop, which every spec has. */
export const shop: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(`${repository}fixtures/shop`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?:pages\/)?[\w-]+\.(?:mjs|js|css)$/.test(name))
    .map((name) => [`shop/${name}`, read(`fixtures/shop/${name}`)]),
)

/** @param ports of two shops */
export function handsSpecs(ports: readonly [number, number]): readonly HandsSpec[] {
  return [
    {
      name: 'find-a-note',
      files: notes,
      allow: notesRule,
      front: 'env: { NOTES_FILE: find-a-note.json }',
      body: bodyOf('examples/notes/specs/find-a-note.test.md'),
      bug: {
        file: 'notes.mjs',
        from: 'note.text.toLowerCase().includes(text.toLowerCase())',
        to: 'note.text.includes(text)',
      },
      broken: ['fail STEP_FAILED', 'skipped PREDECESSOR_FAILED'],
    },
    {
      name: 'shopping-list',
      files: notes,
      allow: notesRule,
      front: 'env: { NOTES_FILE: shopping-list.json }',
      body: bodyOf('examples/notes/specs/shopping-list.test.md'),
      bug: { file: 'notes.mjs', from: 'done: true }', to: 'done: false }' },
      broken: ['fail STEP_FAILED'],
    },
    {
      name: 'remove-a-note',
      files: notes,
      allow: notesRule,
      body: `# Notes

## Setup

\`\`\`sh run
node notes.mjs add "milk"
node notes.mjs add "bread"
\`\`\`

## Remove it

Run \`node notes.mjs remove 1\`. It prints "removed 1: milk".

\`\`\`console verify
$ node notes.mjs list
1 [ ] bread
\`\`\`

## Look

Run \`node notes.mjs list\`. It prints "1 [ ] bread".
`,
      bug: {
        file: 'notes.mjs',
        from: 'store.write(notes.filter((_note, i) => i !== index))',
        to: 'store.write(notes)',
      },
      broken: ['fail VERIFY_FAILED', 'skipped PREDECESSOR_FAILED'],
    },
    {
      name: 'wrong-use',
      files: notes,
      allow: notesRule,
      body: `# Wrong use

## An unknown command

Run \`node notes.mjs ad milk\`. It prints "unknown command" and it exits with 2.

## A note that is not there

Run \`node notes.mjs done 7\`. It prints "there is no note 7".

- [ ] It exits with 1
`,
      bug: { file: 'notes.mjs', from: 'throw new NotesError(1, `there', to: 'throw new NotesError(0, `there' },
      broken: ['pass', 'fail STEP_FAILED'],
    },
    {
      name: 'greeting',
      files: { 'greet.mjs': read('examples/ci/greet.mjs') },
      allow: 'Bash(node greet.mjs *)',
      body: `# Greeting

Somebody who has never seen the program runs it without a name, and finds out from what it prints how to be greeted.

## Ask

Run \`node greet.mjs\`. It prints "usage: greet NAME" and it exits with 2.

## Use it like that

Run \`node greet.mjs Ada\`. It prints "Hello, Ada!".
`,
      bug: { file: 'greet.mjs', from: 'usage: greet NAME', to: 'error' },
      broken: ['fail STEP_FAILED', 'skipped PREDECESSOR_FAILED'],
    },
    {
      name: 'names',
      files: { 'greet.mjs': read('examples/ci/greet.mjs') },
      allow: 'Bash(node greet.mjs *)',
      body: `# Names

## Takes <name>

Run \`node greet.mjs "<name>"\`. It prints "Hello, {{name}}!".

### Examples

| name         |
| ------------ |
| Grace Hopper |
| Łukasz       |
`,
      bug: { file: 'greet.mjs', from: '${name}!', to: "${name.normalize('NFKD').replace(/[^ -~]/g, '')}!" },
      broken: ['pass', 'fail STEP_FAILED'],
    },
    {
      name: 'shop',
      files: { 'start.sh': `exec node ../../shop/main.mjs --port "$1"\n` },
      allow: 'Bash(curl -s *)',
      body: `# Shop

## Setup

\`\`\`sh run background wait=port:${ports[0]}
sh start.sh ${ports[0]}
\`\`\`

## Search

Run \`curl -s "http://127.0.0.1:${ports[0]}/search?q=dishwasher"\`. It prints "1 product".

- [ ] It prints "Blue mug"
- [ ] It does not print "Red mug"
`,
      bug: { file: 'start.sh', from: '"$1"', to: '"$1" --bug search-misses' },
      broken: ['fail STEP_FAILED'],
    },
    {
      name: 'slug',
      files: { 'slugify.mjs': read('examples/existing-project/src/slugify.js') },
      allow: 'Bash(node slugify.mjs *)',
      body: `# Slugs

## A title becomes a slug

Run \`node slugify.mjs "Ten Ways to Cook Rice"\`.

- [ ] It prints "ten-ways-to-cook-rice"
- [ ] It does not print "Rice"

## Nothing to keep is an error

Run \`node slugify.mjs "!?"\`. It exits with 1.
`,
      bug: { file: 'slugify.mjs', from: '.toLowerCase()', to: '' },
      broken: ['fail STEP_FAILED', 'skipped PREDECESSOR_FAILED'],
    },
    {
      name: 'prose-around',
      files: notes,
      allow: notesRule,
      body: `# Notes

## Setup

Run \`node notes.mjs add "tea"\`.

## Tick it off

Run \`node notes.mjs done 1\`. It prints "done 1: tea".

## See it

Run \`node notes.mjs list\`. It prints "1 [x] tea".

## Teardown

Run \`node notes.mjs remove 1\`.
`,
      bug: { file: 'notes.mjs', from: "done ? 'x' : ' '", to: "done ? ' ' : 'x'" },
      broken: ['pass', 'fail STEP_FAILED'],
    },
    {
      name: 'sold-out',
      files: { 'start.sh': `exec node ../../shop/main.mjs --port "$1"\n` },
      allow: 'Bash(curl -s *)',
      body: `# Shop

## Setup

\`\`\`sh run background wait=port:${ports[1]}
sh start.sh ${ports[1]}
\`\`\`

## Look at what is sold out

Run \`curl -s http://127.0.0.1:${ports[1]}/products/gold-spoon\`. It prints "Sold out".

- [ ] It does not print "Add Gold spoon to cart"
`,
      bug: { file: 'start.sh', from: '"$1"', to: '"$1" --bug sold-out-orderable' },
      broken: ['fail STEP_FAILED'],
    },
  ]
}
