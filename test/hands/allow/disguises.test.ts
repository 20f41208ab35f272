import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { permit, type Permission } from '../../../src/hands/allow/permit.ts'
import { isInside } from '../../../src/system/files/is-inside.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mdt-disguises-')))
const cwd = join(folder, 'work')
const scratch = join(folder, 'scratch')
for (const each of [join(cwd, 'sub'), scratch]) mkdirSync(each, { recursive: true })
writeFileSync(join(cwd, 'notes.mjs'), '')
afterAll(() => rmSync(folder, { recursive: true }))

/** Files named `own…` are the agent's; it may write in the scratch folder and `out.txt`. */
function judge(line: string, ...allow: readonly string[]): Permission {
  return permit(line, {
    allow,
    dangerouslyAllowAllActions: false,
    cwd,
    roots: [cwd, scratch],
    variables: { MDTEST_SCRATCH: scratch },
    mayWrite: (file) => isInside(file, scratch) || file === join(cwd, 'out.txt'),
    isOwnFile: (file) => basename(file).startsWith('own'),
  })
}

const broad = 'notes git tar npm go node bash make'.split(' ').map((program) => `Bash(${program} *)`)

function expectRefused(line: string): void {
  expect(judge(line, ...broad)).toMatchObject({ ok: false, message: expect.stringMatching(/\.$/) })
}

function expectAllowed(line: string): void {
  expect(judge(line, ...broad)).toMatchObject({ ok: true })
}

describe('options whose names are shortened do what whole ones do', () => {
  test.each([
    'sort --outp=notes.mjs notes.mjs',
    'sort --out notes.mjs notes.mjs',
    'sort --compress-prog=./own.sh -S1k notes.mjs',
    'sort --files0=/etc/hostname',
    'sed --in-pl s/a/b/ notes.mjs',
    'sed --expr "1e ls" notes.mjs',
    'grep --fil=/etc/hostname x',
    'diff --from-file=/etc/hostname notes.mjs',
    'date --ref=/etc/hostname',
    'date --se=1',
    'wc --files0=/etc/hostname',
    'cp --targ=sub out.txt',
    'tar --to-c=./x -xf a.tar',
    'npm --pref $MDTEST_SCRATCH run x',
    'npm -C $MDTEST_SCRATCH run x',
    'npm --script-sh=./own.sh run x',
    'git --config-e=core.pager=X log',
    'git grep -Oless x',
    'go test --exec=./own ./...',
    'git diff /etc/hostname /etc/hosts',
  ])('%s', expectRefused)

  test.each([
    'git diff --text --stat',
    'git log --oneline -5 -S "/etc"',
    'jq --arg name milk .x notes.mjs',
    'jq --raw-output .x notes.mjs',
    'tar --checkpoint -tf a.tar',
    'grep --files-with-matches x notes.mjs',
    'sort --reverse --numeric-sort notes.mjs',
    'npm run test -- --coverage',
  ])('others do not: %s', expectAllowed)
})

describe('commands of the shell that start others or set variables by the way', () => {
  test.each([
    'jobs -x npm publish',
    "x='-v a[$(npm)] y'; printf $x",
    "printf 'abc%n' PATH",
    "printf 'abc%-5n' PATH",
    "x='-n -p a[$(npm)]'; sleep 0 & wait $x",
    'x=-p; y=PATH; sleep 0 & wait "$x$z" "$y$z"',
  ])('%s', expectRefused)

  test.each([
    'jobs -l',
    'printf "$x"',
    'printf "%s\\n" "$x" "$y"',
    'printf -- "%5.1f%%nothing\\n" 3',
    'notes serve & PID=$!; wait $PID',
    'wait "$PID"',
    'wait -- $A $B',
    'wait -n; wait %1',
  ])('but not: %s', expectAllowed)
})
