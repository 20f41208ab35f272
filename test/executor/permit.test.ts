import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { permit, type Permission } from '../../src/executor/permit.ts'
import { isInside } from '../../src/system/files/paths.ts'
import { allowTables } from '../support/allow-table.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mdt-permit-')))
const cwd = join(folder, 'shop')
const scratch = join(folder, 'scratch')
for (const each of [join(cwd, 'sub'), join(cwd, 'old'), join(scratch, 'own')]) mkdirSync(each, { recursive: true })
symlinkSync('/etc', join(cwd, 'way-out'))
for (const name of ['notes.mjs', 'notes.sh', 'old/notes.mjs']) writeFileSync(join(cwd, name), '')
afterAll(() => rmSync(folder, { recursive: true }))

/** The agent may write in the scratch folder and `out.txt`, `own.mjs`. */
function judge(line: string, ...allow: readonly string[]): Permission {
  return permit(line, {
    allow,
    directories: [cwd],
    home: cwd,
    roots: [cwd, scratch],
    scratchDir: scratch,
    isWritable: (file) => isInside(file, scratch) || file === join(cwd, 'out.txt') || file === join(cwd, 'own.mjs'),
    isOwn: (file) => isInside(file, scratch) || file === join(cwd, 'own.mjs'),
    environment: new Set(['PATH', 'HOME', 'NODE_OPTIONS']),
  })
}

const messageOf = (permission: Permission): string => (permission.ok ? '' : permission.message)

const product = 'Bash(notes *)'

test('where a command runs is known where the line goes there and back, and nowhere else', () => {
  const isAllowed = (line: string): boolean => judge(line, 'Bash(node *)').ok
  const known = ['cd old && node notes.mjs list; cd ..', 'cd old; node notes.mjs list; cd ..; cd sub; cd ..; ls']
  expect(known.filter((line) => !isAllowed(line))).toEqual([])
  const open = [
    'cd none; cd ..; ls',
    'true && cd sub; cd ..; ls',
    '(cd sub); cd ..; ls',
    'cd sub & cd ..; ls',
    'cd sub | cat; cd ..',
  ]
  expect(open.filter(isAllowed)).toEqual([])
  expect(isAllowed('cd ..; node hostname; cd shop/way-out')).toBe(false)
})

describe('what honest agents write is allowed', () => {
  test.each([
    'notes list',
    'n=1; notes show $n; (cd sub && ls); notes list',
    'notes add "buy milk" && notes list | grep -n milk | head -5',
    'ID=$(notes add milk | cut -d: -f2); notes show "$ID"; notes done $ID',
    'cd sub && notes list && ls -la',
    'for id in 1 2 3; do notes show $id; done',
    'cat *.txt; wc -l sub/*',
    'notes list | while IFS= read -r line; do echo "> $line"; done',
    'notes list > $MDTEST_SCRATCH/list.txt 2>&1; cat "$MDTEST_SCRATCH/list.txt"',
    'notes export > out.txt',
    'notes list | tee $MDTEST_SCRATCH/all.txt | wc -l',
    'mkdir -p $MDTEST_SCRATCH/a && cp notes.mjs $MDTEST_SCRATCH/a/ && rm -rf "$MDTEST_SCRATCH/a"',
    'notes serve & sleep 1; notes list; kill %1; wait',
    'notes serve & notes list; kill $!',
    'notes nosuch; echo "exit: $?"',
    'if [ -f notes.mjs ]; then notes list; else echo none; fi',
    'n=$(notes list | wc -l); if [ "$n" -gt 3 ]; then echo many; fi',
    'until notes ready; do sleep 0.1; done',
    'timeout 10 notes watch; time notes list; nohup notes serve &',
    'echo one | notes import',
    'notes list | sort -u | uniq -c | tr a-z A-Z',
    'notes list # all of them',
    'set -o pipefail; notes list | head -1',
    'start=$(date +%s); notes list; end=$(date "+%s")',
    '{ notes list; notes show 1; } | tail -n 3',
    '(cd sub; notes list)',
    'case "$(notes list)" in *milk*) echo yes;; esac',
    'notes list 2>/dev/null || true',
    'notes list | tee /dev/stderr | wc -l; echo milk | notes import /dev/stdin',
    'pwd; date +%s; which notes',
    'grep -rn "add" . --include="*.mjs"',
    'diff $MDTEST_SCRATCH/a.txt $MDTEST_SCRATCH/b.txt',
    'printf "%s\\n" one two | notes import',
    'notes import $MDTEST_SCRATCH/in.txt',
    '! notes nosuch',
    '[ ! -e out.txt ] && [ "$(notes count)" = 3 ]',
  ])('%s', (line) => {
    expect(judge(line, product)).toMatchObject({ ok: true })
  })
})

describe('what no rule allows is refused, with the rule that would', () => {
  test.each<readonly [string, string]>([
    ...[
      ...['npm publish', 'notes list && npm publish', 'notes list | npm publish'],
      ...['notes list; (npm publish)', 'notes $(npm publish)', 'notes "`npm publish`"'],
      ...['if true; then npm publish; fi', 'while npm publish; do echo; done', 'npm publish &', 'time npm publish'],
      ...['case x in $(npm publish)) ;; esac', 'n=$(npm publish)', 'for f in $(npm publish); do ls; done'],
    ].map((line) => [line, 'Bash(npm *)'] as const),
    ['xargs npm publish', 'Bash(xargs *)'],
    ['env A=1 npm publish', 'Bash(env *)'],
    ['./notes list', 'Bash(./notes *)'],
    ['/usr/bin/ls', 'Bash(/usr/bin/ls *)'],
    ['notesx list', 'Bash(notesx *)'],
    ['awk "{print 1}" notes.mjs', 'Bash(awk *)'],
    ['export', 'Bash(export *)'],
    ['FOO=1 notes list', 'Bash(FOO=1 notes *)'],
    ['sort -o notes.mjs out.txt', 'Bash(sort *)'],
    ['eval ls', 'Bash(eval *)'],
    ['. ./env.sh', 'Bash(. *)'],
    ['set -e', 'Bash(set *)'],
  ])('%s', (line, rule) => {
    const permission = judge(line, product)
    expect(permission).toMatchObject({ ok: false, rule })
    expect(messageOf(permission)).toContain('Allowed: `Bash(notes *)`. To allow it: `allow: ["Bash(')
  })
})

describe('what is not read word by word is refused, with the wording that would do', () => {
  test.each([
    ['notes add "$((1 + 1))"', 'Write the number'],
    ['((i++))', 'Write the number'],
    ['[[ -f notes.mjs ]]', '`[ … ]`'],
    ['notes import <<< milk', 'the tool `write`'],
    ['notes import <<EOF\nmilk\nEOF', 'the tool `write`'],
    ['diff <(notes list) <(notes list)', '`$MDTEST_SCRATCH`'],
    ['node() { ls; }; node notes.mjs', 'where they run'],
    ['echo "${x:-y}"', 'Use the variable as it is'],
    ['echo "${!x}"', 'Use the variable as it is'],
    ['echo {a,b}', 'Write each word out'],
    ['notes show "a$n"', 'Write it out'],
    ['"$x" list', 'Write its name out'],
    ['$(echo node) notes.mjs', 'Write its name out'],
    ['*/notes list', 'Write its name out'],
    ['cat "$x"', 'Write its path out'],
    ['cat ~/.netrc', 'Write its path out'],
    ['notes list > "$x"', 'Write the path out'],
    ['[ $n -lt 3 ]', 'in double quotes'],
    ['[ "$op" "$x" ]', 'in double quotes'],
    ['printf "$x"', 'out'],
    ['cd', 'the name of one folder'],
    ['kill 1', '`kill %1`'],
    ['kill $(cat pid)', '`kill %1`'],
    ['notes "', 'at character'],
    ['coproc notes serve', 'by themselves'],
  ])('%s', (line, way) => {
    expect(messageOf(judge(line, product))).toContain(way)
  })
})

describe('looking ends at the folders of the scenario', () => {
  test.each([
    ...['cat /etc/hostname', 'cat ../secret', 'cat way-out/hostname', 'cd way-out && ls', 'ls /'],
    ...['cd / && cat etc/hostname', 'cat < /etc/hostname', 'grep -f /etc/hostname notes.mjs', 'grep -r x /etc'],
    ...['cat way-out/*', 'cat /etc/host*', 'head -n 1 -- /etc/hostname', 'wc --files0-from=/etc/hostname'],
    ...['cat /proc/self/environ', 'cat /proc/self/root/etc/hostname', 'cp /etc/hostname $MDTEST_SCRATCH'],
    ...[
      'sort --files0-from=/etc/hostname',
      'grep -f/etc/hostname notes.mjs',
      'cd .. && ls shop',
      'cd sub; cd ..; cd ..; ls',
    ],
  ])('%s', (line) => {
    expect(judge(line, product, 'Bash(cat *)', 'Bash(cd *)')).toMatchObject({ ok: false })
  })
})

describe('code of the agent is refused, even where a rule allows the program', () => {
  const broad = 'node bash sh python3 perl ruby php deno bun'.split(' ').map((program) => `Bash(${program} *)`)
  test.each([
    ...['node -e 1', 'node -pe 1', 'node --eval=1', 'node --print 1', 'node "-e" 1', 'no""de -e 1'],
    ...['node --import data:text/javascript,1 notes.mjs', 'node -r ./own.mjs notes.mjs', 'node --env-file=x notes.mjs'],
    ...['node own.mjs', 'node --no-warnings own.mjs', 'node $MDTEST_SCRATCH/own.mjs', 'node "$x"', 'node *.mjs'],
    ...['node < own.mjs', 'node < notes.mjs', 'node', 'echo 1 | node', 'echo 1 | node -', 'node /dev/stdin'],
    ...['cd sub && node ../own.mjs', 'timeout 5 node -e 1', 'node way-out/hostname', 'node /etc/hostname'],
    ...[
      'bash -c ls',
      'bash -xc ls',
      'bash own.sh -c',
      'sh -s < notes.mjs',
      'echo ls | sh',
      'python3 -c 1',
      'python3 -m own',
    ],
    ...['perl -e 1', 'ruby -e 1', 'php -r 1', 'deno eval 1', 'bun -e 1', "$'node' -e 1", 'nod\\\ne -e 1'],
    ...['cd $MDTEST_SCRATCH && node notes.mjs', '(cd $MDTEST_SCRATCH/own; notes list)'],
    ...['NODE_OPTIONS=--require=./own.mjs node notes.mjs', '$MDTEST_SCRATCH/own/tool'],
  ])('%s', (line) => {
    const [first, ...others] = broad
    expect(judge(line, product, first ?? '', ...others, 'Bash(*/own/tool *)')).toMatchObject({
      ok: line === 'bash own.sh -c',
    })
  })

  test.each([
    ['node -e 1', 'Bash(node -e *)'],
    ['node -e 1', 'Bash(node -e 1)'],
    ['bash -c ls', 'Bash(bash -c *)'],
    ['echo 1 | node -', 'Bash(node -)'],
    ['set -e', 'Bash(set -e)'],
    ['NODE_OPTIONS=--no-warnings notes list', 'Bash(NODE_OPTIONS=--no-warnings *)'],
    ['node notes.mjs -e 1', 'Bash(node notes.mjs *)'],
    ['node notes.mjs own.txt', 'Bash(node notes.mjs *)'],
    ['node --test sub', 'Bash(node --test *)'],
    ['python3 -m pytest -q', 'Bash(python3 -m pytest *)'],
    ['deno run notes.mjs', 'Bash(deno run *)'],
    ['npm test -- "a b"', 'Bash(npm test *)'],
    ['notes import <<< milk', 'Bash(notes import <<< milk)'],
  ])('but not where a rule names it: %s by %s', (line, rule) => {
    expect(judge(line, product, rule)).toMatchObject({ ok: true })
  })

  test.each([
    ['node -e 1', 'Bash(node -*)'],
    ['node -e 1', 'Bash(node *e*)'],
    ['NODE_OPTIONS=--x notes list', 'Bash(NODE_OPTIONS=*)'],
    ['PATH=/x notes', 'Bash(notes)'],
  ])('and a rule with a star there names nothing: %s by %s', (line, rule) => {
    expect(judge(line, product, rule)).toMatchObject({ ok: false })
  })
})

describe('what would be another product is refused', () => {
  test.each([
    ['cd old && node notes.mjs list', 'would run another file here than the one that the rule means'],
    ['cd sub; node notes.mjs list', 'would run another file here than the one that the rule means'],
    ['node notes.mjs --root $MDTEST_SCRATCH/own list', 'is a folder of your own'],
    ['node notes.mjs --root=$MDTEST_SCRATCH/own list', 'is a folder of your own'],
    ['PATH=$(notes path)', 'would change what later commands do'],
    ['for PATH in old; do notes list; done', 'would change what later commands do'],
    ['read PATH', 'would change what later commands do'],
    ['IFS=$(notes list)', 'would change what later commands do'],
    ['HOME=$(notes list)', 'would change what later commands do'],
    ['MDTEST_SCRATCH=$(notes list)', 'would change what later commands do'],
  ])('%s', (line, why) => {
    expect(messageOf(judge(line, product, 'Bash(node notes.mjs *)'))).toContain(why)
  })
})

describe('writing is for the scratch folder and `writes`', () => {
  test.each([
    ...['notes list > list.txt', 'notes list >> ../list.txt', 'notes list &> /tmp/list.txt', 'notes list >| notes.mjs'],
    ...['notes list > *.txt', 'notes list > /dev/tcp/127.0.0.1/80', 'notes list > /proc/self/fd/3'],
    ...['notes list >& list.txt', 'notes list <> list.txt', 'cd $MDTEST_SCRATCH; echo x > ../shop/notes.mjs'],
    ...['echo x | tee notes.mjs', 'cp notes.mjs sub', 'cp out.txt $MDTEST_SCRATCH/../shop/notes.mjs'],
    ...['mv notes.mjs $MDTEST_SCRATCH', 'rm notes.mjs', 'rm -rf .', 'touch sub/x', 'mkdir $MDTEST_SCRATCH sub/x'],
    ...[
      'cp -t sub out.txt',
      'cp --target-directory=sub out.txt',
      'ln -s / $MDTEST_SCRATCH/root',
      'rm *',
      'mkdir /tmp/x',
    ],
  ])('%s', (line) => {
    expect(judge(line, product)).toMatchObject({ ok: false })
  })

  test('a rule that names the program allows it', () => {
    expect(judge('rm notes.mjs', 'Bash(rm notes.mjs)')).toMatchObject({ ok: true })
  })

  test('tells what the line itself writes', () => {
    const line = 'echo words > $MDTEST_SCRATCH/a; notes list | tee out.txt; cp notes.mjs $MDTEST_SCRATCH/b'
    const written = [join(scratch, 'a'), join(cwd, 'out.txt'), join(scratch, 'b')]
    expect(judge(line, product)).toEqual({ ok: true, isAction: true, written })
    expect(judge('cat notes.mjs | head -3', product)).toEqual({ ok: true, isAction: false, written: [] })
  })
})

test.each([
  'ls|'.repeat(5000) + 'ls',
  `notes ${'a '.repeat(8000)}`,
  `notes ${'../'.repeat(5000)}`,
  `${'for i in 1 2; do '.repeat(100)}ls;${'done;'.repeat(100)}`,
  `${'cd sub; cd ..; '.repeat(500)}ls`,
  `${'"$(echo '.repeat(30)}a${')"'.repeat(30)}`,
  `${'timeout 5 '.repeat(600)}ls`,
])('judges a line in time that is made to take minutes: %.30s', { timeout: 60_000 }, (line) => {
  expect(judge(line, 'Bash(a*b*c*d*e)')).toHaveProperty('ok')
})

test.each(allowTables.flatMap(({ allow, rows }) => rows.map((row) => ({ ...row, allow }))))(
  'of the table that every agent has: $command is $verdict',
  ({ allow, command, verdict }) => {
    const options = {
      directories: [cwd],
      home: cwd,
      roots: [cwd],
      isWritable: (file: string) => isInside(file, cwd),
      isOwn: () => false,
      environment: new Set(['PATH']),
    }
    expect(permit(command, { ...options, allow }).ok ? 'allowed' : 'refused').toBe(verdict)
  },
)
