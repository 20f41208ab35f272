import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { permit, type Permission } from '../../../src/executor/allow/permit.ts'
import { isInside } from '../../../src/system/files/is-inside.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mdt-disguises-')))
const cwd = join(folder, 'work')
const scratch = join(folder, 'scratch')
for (const each of [join(cwd, 'sub'), scratch]) mkdirSync(each, { recursive: true })
writeFileSync(join(cwd, 'notes.mjs'), '')
const isOwn = (file: string): boolean => /\/own[^/]*$|(?:mine|deep)\/(?:package.json|Makefile)$/.test(file)
for (const each of ['mine', 'theirs', 'deep/er']) mkdirSync(join(scratch, each), { recursive: true })
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
    isOwnFile: isOwn,
    mayLoadOwnFile: () => false,
  })
}

const broad = 'notes git tar npm npx go node bash make python3 pytest yarn deno awk curl java sqlite3'
  .split(' ')
  .map((program) => `Bash(${program} *)`)

function expectRefused(line: string): void {
  expect(judge(line, ...broad)).toMatchObject({ ok: false, message: expect.stringMatching(/\.$/) })
}

function expectAllowed(line: string): void {
  expect(judge(line, ...broad)).toMatchObject({ ok: true })
}

describe('options whose names are shortened do what whole ones do', () => {
  test.each([
    ...['sort --outp=notes.mjs notes.mjs', 'sort --out notes.mjs notes.mjs'],
    'sort --compress-prog=./own.sh -S1k notes.mjs',
    ...['sort --files0=/etc/hostname', 'sed --in-pl s/a/b/ notes.mjs', 'sed --expr "1e ls" notes.mjs'],
    ...['grep --fil=/etc/hostname x', 'diff --from-file=/etc/hostname notes.mjs', 'date --ref=/etc/hostname'],
    ...['date --se=1', 'wc --files0=/etc/hostname', 'cp --targ=sub out.txt', 'tar --to-c=./x -xf a.tar'],
    ...['npm --pref $MDTEST_SCRATCH run x', 'npm -C $MDTEST_SCRATCH run x', 'npm --script-sh=./own.sh run x'],
    ...['git --config-e=core.pager=X log', 'git grep -Oless x', 'go test --exec=./own ./...'],
    'git diff /etc/hostname /etc/hosts',
  ])('%s', expectRefused)

  test.each([
    ...['git diff --text --stat', 'git log --oneline -5 -S "/etc"', 'jq --arg name milk .x notes.mjs'],
    ...['jq --raw-output .x notes.mjs', 'tar --checkpoint -tf a.tar', 'grep --files-with-matches x notes.mjs'],
    ...['sort --reverse --numeric-sort notes.mjs', 'npm run test -- --coverage'],
  ])('others do not: %s', expectAllowed)
})

describe('commands of the shell that start others or set variables by the way', () => {
  test.each([
    ...['jobs -x npm publish', "x='-v a[$(npm)] y'; printf $x", "printf 'abc%n' PATH", "printf 'abc%-5n' PATH"],
    ...["x='-n -p a[$(npm)]'; sleep 0 & wait $x", 'kill -STOP $PPID'],
    'x=-p; y=PATH; sleep 0 & wait "$x$z" "$y$z"',
  ])('%s', expectRefused)

  test.each([
    ...['jobs -l', 'printf "$x"', 'printf "%s\\n" "$x" "$y"', 'printf -- "%5.1f%%nothing\\n" 3'],
    ...['notes serve & PID=$!; wait $PID', 'wait "$PID"', 'wait -- $A $B', 'wait -n; wait %1'],
  ])('but not: %s', expectAllowed)
})

describe('programs of the agent under another name, or not there yet', () => {
  test.each([
    "echo 'console.log(1)' > $MDTEST_SCRATCH/a.mjs; node $MDTEST_SCRATCH/a.mjs",
    'echo ls | tee $MDTEST_SCRATCH/a.sh; bash $MDTEST_SCRATCH/a.sh',
    'for i in 1 2; do node $MDTEST_SCRATCH/a.mjs; echo 1 > $MDTEST_SCRATCH/a.mjs; done',
    '{ sleep 1; node $MDTEST_SCRATCH/a.mjs; } & echo 1 > $MDTEST_SCRATCH/a.mjs',
    'cat own.mjs notes.mjs > $MDTEST_SCRATCH/a.mjs && node $MDTEST_SCRATCH/a.mjs',
    'cp own.mjs $MDTEST_SCRATCH/a.mjs; node $MDTEST_SCRATCH/a.mjs',
    'cp own.mjs $MDTEST_SCRATCH; cd $MDTEST_SCRATCH; node ./own.mjs',
    'echo 1 > $MDTEST_SCRATCH/mine/a.mjs; cp $MDTEST_SCRATCH/mine/* $MDTEST_SCRATCH/theirs; node $MDTEST_SCRATCH/theirs/a.mjs',
    'mkdir $MDTEST_SCRATCH/d; echo 1 > $MDTEST_SCRATCH/d/a; mv $MDTEST_SCRATCH/d $MDTEST_SCRATCH/e; bash $MDTEST_SCRATCH/e/a',
    'node --env_file=own.env notes.mjs',
    'node --experimental_loader=./own.mjs notes.mjs',
    'node --openssl-config=own.cnf notes.mjs',
    'node --experimental-config-file=own.json notes.mjs',
    'node inspect own.mjs',
    'cd $MDTEST_SCRATCH/mine && npm test',
    'cd $MDTEST_SCRATCH/deep/er && npm run hello',
    'cd $MDTEST_SCRATCH/mine && node --run test',
    'make -C $MDTEST_SCRATCH/mine',
    'make --directory=$MDTEST_SCRATCH/mine',
  ])('%s', expectRefused)

  test.each([
    'cp -r sub $MDTEST_SCRATCH/p && node $MDTEST_SCRATCH/p/notes.mjs',
    'mkdir -p $MDTEST_SCRATCH/q && cp notes.mjs $MDTEST_SCRATCH/q && cd $MDTEST_SCRATCH/q && node notes.mjs list > list.txt; cat list.txt',
    'notes export > out.txt; node notes.mjs import out.txt',
    'npm test; npm run build > $MDTEST_SCRATCH/log; grep error $MDTEST_SCRATCH/log',
    'tar -xf a.tar -C $MDTEST_SCRATCH && node $MDTEST_SCRATCH/package/cli.mjs',
    'node --test-name-pattern=add --test notes.mjs',
    'make -C sub all',
  ])('but not: %s', expectAllowed)
})

describe('programs that run what they are given', () => {
  test.each([
    ...['pytest own_test.py', 'python3 -m pytest own_test.py', 'python3 -m pdb own.py', 'python3 -mtimeit 1'],
    ...['python3 -Im timeit 1', 'npx vitest run own.test.ts', 'npx vitest --config=own.config.ts', 'npx tsx@4 own.ts'],
    ...['npx tsx@latest -e 1', 'yarn node -e 1', 'go run own.go', 'go test ./own_test.go', 'java @own.args'],
    ...['java -XX:OnError=ls Main', 'deno run data:text/javascript,1', 'node https://127.0.0.1/x.js'],
    ...['curl file:///etc/hostname', 'sqlite3 x.db ".shell ls"'],
    "sqlite3 x.db \"select writefile('notes.mjs','x')\"",
    ...['make --ev="x:;ls"', 'make -E "x:;ls"', 'git config alias.x "!ls"', 'git config --global core.pager ls'],
    ...['git bisect run notes', 'git submodule foreach ls', 'git clone "ext::sh -c ls" x', 'npm explore x -- ls'],
    ...['npm config set script-shell ./x', 'npm pkg set scripts.test=ls', 'tar -xPf a.tar'],
    ...["awk -i inplace '{print}' notes.mjs", `awk '{ print "a"\n> "x" }' notes.mjs`],
    `awk '{ print /a"/ > "x" }' notes.mjs`,
  ])('%s', expectRefused)

  test.each([
    ...['pytest -q test_notes.py own.csv', 'python3 -m notes import own.csv', 'python3 -m json.tool own.json'],
    ...['npx notes import own.csv', 'npm start -- import own.csv', 'go run . import own.csv', 'go test ./...'],
    ...['git config user.email a@b.c', 'git bisect start', 'git add own.mjs', 'sqlite3 x.db "select * from notes"'],
    ...['java -jar notes.jar list', 'curl -s http://127.0.0.1:3000/notes'],
    `awk '{ print $1"/"$2"/"$3 }' notes.mjs`,
    `awk '/add/ && $2 > 3 { n += $2/2 } END { print n/NR }' notes.mjs`,
  ])('but not: %s', expectAllowed)
})
