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
  readonly body: string
  readonly bug: Bug
  /** Of each step of the broken product. */
  readonly broken: readonly string[]
}

const repository = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string): string => readFileSync(`${repository}${file}`, 'utf8')

const notes = { 'notes.mjs': read('examples/notes/notes.mjs'), 'store.mjs': read('examples/notes/store.mjs') }
const notesRule = 'Bash(node notes.mjs *)'

/** All files of the shop, which every spec has. */
export const shop: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(`${repository}fixtures/shop`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?:pages\/)?[\w-]+\.(?:mjs|js|css)$/.test(name))
    .map((name) => [`shop/${name}`, read(`fixtures/shop/${name}`)]),
)

/** @param port of the shop */
export function handsSpecs(port: number): readonly HandsSpec[] {
  return [
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

\`\`\`sh run background wait=port:${port}
sh start.sh ${port}
\`\`\`

## Search

Run \`curl -s "http://127.0.0.1:${port}/search?q=dishwasher"\`. It prints "1 product".

- [ ] It prints "Blue mug"
- [ ] It does not print "Red mug"
`,
      bug: { file: 'start.sh', from: '"$1"', to: '"$1" --bug search-misses' },
      broken: ['fail STEP_FAILED'],
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
  ]
}
