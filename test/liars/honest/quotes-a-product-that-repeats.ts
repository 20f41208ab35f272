import { byModel, report, run } from '../support/model.ts'

const spec = `# Echo

## Set a colour

Run \`node app.mjs set colour blue\`. It repeats the colour.

- [ ] It prints "colour is blue"

## Repeat words

Run \`node app.mjs say "hello world"\`.

- [ ] It prints "hello world"
`
const app = `const [command, ...words] = process.argv.slice(2)
console.log(command === 'set' ? words[0] + ' is ' + words[1] : words.join(' '))
`

export default {
  // A product that only repeats its arguments proves nothing by that.
  front: ['min-assurance: observed'],
  spec,
  files: { 'app.mjs': app },
  ...byModel(
    'claude',
    'Tests a product that repeats its arguments, and quotes a line with more than these and one with no more.',
    function* () {
      yield run('node app.mjs set colour blue')
      const said = { evidence: [{ quote: 'colour is blue' }] }
      yield report('1-set-a-colour', { checks: [{ n: 1, status: 'pass', ...said }] })
      yield run('node app.mjs say "hello world"')
      yield report('2-repeat-words', { checks: [{ n: 1, status: 'pass', evidence: [{ quote: 'hello world' }] }] })
    },
  ),
}
