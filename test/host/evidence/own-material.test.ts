import { describe, expect, test } from 'vitest'
import { OwnMaterial } from '../../../src/host/evidence/own-material.ts'

const asked = 'Run node app.mjs list. It lists milk.'
const quote = '1 [ ] milk'

/** Whether the last of these lines may have made the quote. */
function mayMake(lines: readonly string[], files: readonly string[] = []): boolean {
  const material = new OwnMaterial()
  for (const file of files) material.addFile(file)
  return lines.map((line) => material.addLine(line, asked)(quote)).at(-1) === true
}

describe('words of an agent in another form', () => {
  test.each([
    [`echo 'klim ] [ 1' | rev`],
    [`printf '1x[x]xmilk' | tr x ' '`],
    [`echo '1,[,],milk' | sed 's/,/ /g'`],
    [`ls; seq -f '%g [ ] milk' 1 1`],
    [`node app.mjs add "$(seq -f '%g [ ] milk' 1 1)"`],
    [`y=$(echo 'klim ] [ 1' | rev); echo "$y"`],
    [`y=$(echo 'klim ] [ 1' | rev)`, 'node app.mjs add "$y"'],
    [`x='1y[y]ymilk'`, 'echo "${x//y/ }"'],
    [`echo '1 [ ] m'{il,}'k'`],
    [`printf '1 [ ] mi%s' "$(echo lk)"`],
    [`node app.mjs list | sed 's/.*/1x[x]xmilk/;s/x/ /g'`],
    [`echo 'a1a [a ]a milka' | tr -d a`],
    [`for w in 1 '[x' '] milk'; do echo "$w"; done | tr -d x`],
    [`jq -n '"1 [ ] " + "milk"'`],
  ])('%s', (...lines) => expect(mayMake(lines)).toBe(true))

  test('also from a file that it wrote', () => {
    expect(mayMake(['rev "$MDTEST_SCRATCH/f.txt"'], ['/scratch/f.txt'])).toBe(true)
    expect(mayMake(['cat "$MDTEST_SCRATCH/f.txt" | rev'], ['/scratch/f.txt'])).toBe(true)
    expect(mayMake(['rev other.txt'], ['/scratch/f.txt'])).toBe(false)
  })
})

describe('words of the product', () => {
  test.each([
    ['node app.mjs list'],
    ['node app.mjs list | grep milk | sort | head -n 1'],
    [`node app.mjs list | sed -n '1p' | cut -d' ' -f1-4 | tr -d '\\r'`],
    [`node app.mjs list | sed 's/\\x1b\\[[0-9;]*m//g'`],
    ['node app.mjs list | tr a b'],
    ['ID=$(node app.mjs open 3); echo "$ID"', 'node app.mjs show "$ID"'],
    ['for n in 1 2; do node app.mjs show "$n"; done'],
    [`node app.mjs list --json | jq -r '.[0].text'`],
    ['for i in $(seq 3); do node app.mjs show $i; done'],
  ])('%s', (...lines) => expect(mayMake(lines)).toBe(false))
})
