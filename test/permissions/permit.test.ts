import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { permit, type Permission } from '../../src/permissions/permit.ts'
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

describe('what no rule allows is refused, with the rule that would', () => {
  test.each<readonly [string, string]>([
    ...[
      ...['npm publish', 'notes list && npm publish', 'notes list | npm publish'],
      ...['notes list; (npm publish)', 'notes $(npm publish)', 'notes "`npm publish`"'],
      ...['if true; then npm publish; fi', 'while npm publish; do echo; done', 'npm publish &', 'time npm publish'],
      ...['case x in $(npm publish)) ;; esac', 'n=$(npm publish)', 'for f in $(npm publish); do ls; done'],
    ].map((line) => [line, 'Bash(npm *)'] as const),
    ['xargs npm publish', 'Bash(npm *)'],
    ['env A=1 npm publish', 'Bash(npm *)'],
    ['find . -exec npm publish {} +', 'Bash(npm *)'],
    ["bash -c 'ls; npm publish'", 'Bash(npm *)'],
    ['diff <(npm publish) notes.mjs', 'Bash(npm *)'],
    ['notes import <<X\n$(npm publish)\nX', 'Bash(npm *)'],
    ['[[ -n $(npm publish) ]]', 'Bash(npm *)'],
    ['echo "${x:-$(npm publish)}"', 'Bash(npm *)'],
    ['x=(a $(npm publish))', 'Bash(npm *)'],
    ['command npm publish', 'Bash(command npm publish)'],
    ['./notes list', 'Bash(./notes *)'],
    ['/usr/bin/ls', 'Bash(/usr/bin/ls *)'],
    ['notesx list', 'Bash(notesx *)'],
    ['export', 'Bash(export)'],
    ['FOO=-x notes list', 'Bash(FOO=-x notes *)'],
    ['FOO="a --b" notes list', 'Bash(FOO="a --b" notes list)'],
    ['FOO=$(notes path) notes list', 'Bash(FOO=$(notes path) notes list)'],
    ['FOO=notes.mjs notes list', 'Bash(FOO=notes.mjs notes *)'],
    ['FOO=$MDTEST_SCRATCH/x notes list', 'Bash(FOO=$MDTEST_SCRATCH/x notes list)'],
    ['MAKEFLAGS=n notes list', 'Bash(MAKEFLAGS=n notes *)'],
    ['env LD_PRELOAD=x notes list', 'Bash(LD_PRELOAD=x notes *)'],
    ['sort -o notes.mjs out.txt', 'Bash(sort *)'],
    ['uniq out.txt notes.mjs', 'Bash(uniq *)'],
    ['find . -delete', 'Bash(find *)'],
    ['date -s 12:00', 'Bash(date *)'],
    ['git commit -m x', 'Bash(git *)'],
    ['git diff --output=notes.mjs', 'Bash(git *)'],
    ['git -c core.pager=x log', 'Bash(git *)'],
    ['eval ls', 'Bash(eval ls)'],
    ['. ./env.sh', 'Bash(. ./env.sh)'],
    ['set -m', 'Bash(set -m)'],
    ['node --version; node --check notes.mjs', 'Bash(node --check *)'],
    ...[
      ...['sed -i s/a/b/ notes.mjs', "sed 'w x' notes.mjs", "sed 's/a/b/w x' notes.mjs", "sed 's/a/b/e' notes.mjs"],
      ...["sed 's/[/]/;s/w x/p/' notes.mjs", "sed '1e ls' notes.mjs", "sed -n '/a/w x' notes.mjs"],
      'sed -f own.mjs notes.mjs',
    ].map((line) => [line, 'Bash(sed *)'] as const),
    ...[
      ...['awk \'BEGIN{system("ls")}\'', 'awk \'{print > "x"}\' notes.mjs', 'awk \'{print | "sh"}\' notes.mjs'],
      ...['awk \'"ls" | getline\'', 'awk -f own.mjs', 'awk \'{print 1 \\\n| "sh"}\''],
      ...['awk \'BEGIN{f="system"; @f("ls")}\''],
    ].map((line) => [line, 'Bash(awk *)'] as const),
  ])('%s', (line, rule) => {
    const permission = judge(line, product)
    expect(permission).toMatchObject({ ok: false, rules: [rule] })
    expect(messageOf(permission)).toContain(`To allow it: \`allow: ${JSON.stringify([rule])}\`.`)
    expect(judge(line, product, rule)).toMatchObject({ ok: true })
  })
})

describe('what is not read word by word is refused, with the wording that would do', () => {
  test.each([
    ['notes add "$((x + 1))"', 'Write the number'],
    ['((i++))', 'Write the number'],
    ['[[ $x -eq 3 ]]', 'Write `[ "$x" -eq "3" ]`'],
    ['[[ -v x ]]', 'by themselves'],
    ['node() { ls; }; node notes.mjs', 'where they run'],
    ['echo "${x:=y}"', 'Use the variable as it is'],
    ['echo "${!x}"', 'Use the variable as it is'],
    ['echo "${x@P}"', 'Use the variable as it is'],
    ['echo "${x[y]}"', 'Use the variable as it is'],
    ['echo "${x:y}"', 'Use the variable as it is'],
    ['echo {a,"b"}', 'Write each word out'],
    ['for ((i = 0; i < 3; i++)); do ls; done', '`for n in {1..3}`'],
    ['notes show "a$n"', 'Write it out'],
    ['notes show "$(echo mi)$(echo lk)"', 'Write it out'],
    ['notes show "${x#a}"', 'Write it out'],
    ['x=aamilk; notes show "${x#aa}"', 'Write it out'],
    ['echo "$(echo mi)$(echo lk)" | notes import -', 'Write it out'],
    ['notes import <<X\n$a$b\nX', 'Write it out'],
    ['x=mi; x+=lk; notes show "$x"', 'gets words'],
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
    ['kill -9 -1', '`kill %1`'],
    ['x=1; kill $x', '`kill %1`'],
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
    ...['f=/etc/hostname; false && f=notes.mjs; cat $f', 'x="notes.mjs /etc/hostname"; cat $x'],
    ...['cat <(cat /etc/hostname)'],
    ...['grep -e x /etc/hostname', 'jq -f /etc/hostname', 'find /etc | xargs cat', 'ls /etc -1 | xargs cat'],
    ...["bash -c 'cat /etc/hostname'"],
    ...['echo /etc/hostname | xargs cat', "find . -printf '/etc/hostname\n' | xargs cat"],
    ...['cat {/etc/hostname,notes.mjs}'],
    ...['sort --files0-from=/etc/hostname', 'grep -f/etc/hostname notes.mjs', 'cd .. && ls shop'],
    ...['cd sub; cd ..; cd ..; ls'],
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
    ...["bash -c 'node -e 1'", 'bash -xc ls', 'bash own.sh -c', 'sh -s < notes.mjs', 'echo ls | sh', 'python3 -c 1'],
    ...['python3 -m own'],
    ...['perl -e 1', 'ruby -e 1', 'php -r 1', 'deno eval 1', 'bun -e 1', "$'node' -e 1", 'nod\\\ne -e 1'],
    ...['f=own.mjs; false && f=notes.mjs; node $f', 'f=own.mjs; if false; then f=notes.mjs; fi; node $f'],
    ...['f=notes.mjs; while true; do node $f; f=own.mjs; done', 'f=own.mjs; (f=notes.mjs); node $f'],
    ...['for f in own.mjs; do break; done; f2=$f; node $f2'],
    ...['f=notes.mjs; for i in 1 2; do f=own.mjs; break; f=notes.mjs; done; node $f'],
    ...['f=own.mjs; true || f=notes.mjs; node $f', 'f=own.mjs; f=notes.mjs | cat; node $f'],
    ...['f=own.mjs; f=notes.mjs & node $f'],
    ...['find . | xargs node', 'find . -exec node {} +', 'node <(echo 1)', 'node - <<< 1', 'node <<X\n1\nX'],
    ...['node {own,notes}.mjs'],
    ...["f=notes.mjs; bash -c 'node $f'", 'python3 -c 1 | python3 -m json.tool'],
    ...['cd $MDTEST_SCRATCH && python3 -m own'],
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
    ['set -m', 'Bash(set -m)'],
    ['NODE_OPTIONS=--no-warnings notes list', 'Bash(NODE_OPTIONS=--no-warnings *)'],
    ['node notes.mjs -e 1', 'Bash(node notes.mjs *)'],
    ['node notes.mjs own.txt', 'Bash(node notes.mjs *)'],
    ['node --test sub', 'Bash(node --test *)'],
    ['python3 -m pytest -q', 'Bash(python3 -m pytest *)'],
    ['deno run notes.mjs', 'Bash(deno run *)'],
    ['npm test -- "a b"', 'Bash(npm test *)'],
    ['f() { ls; }; f', 'Bash(f() { ls; }; f)'],
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
    ['x=$(mktemp -d); node notes.mjs --root "$x" list', 'is a folder of your own'],
    ["bash -c 'cd old && node notes.mjs list'", 'would run another file here than the one that the rule means'],
    ['export PATH=old', 'would change what later commands do'],
    ['export X=-x', 'would change what later commands do'],
    ['unset PATH', 'would change what later commands do'],
    ['PATH=$(notes path)', 'would change what later commands do'],
    ['for PATH in old; do notes list; done', 'would change what later commands do'],
    ['TMPDIR=x', 'would change what later commands do'],
    ['((MDTEST_SCRATCH=1))', 'would change what later commands do'],
    ['echo $((PATH=1))', 'would change what later commands do'],
    ["read 'a[$(npm publish)]'", 'Write its name out'],
    ["unset 'a[$(npm publish)]'", 'Write its name out'],
    ["x=(['a[$(npm publish)]']=1)", 'gets words'],
    ['wait -p PATH', 'is allowed by no rule'],
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
    ...['x="$MDTEST_SCRATCH/a notes.mjs"; rm $x', 'x=$MDTEST_SCRATCH; false && x=.; x=. ; rm -rf $x'],
    ...['rm {notes.mjs,out.txt}'],
    ...['echo x > $MDTEST_SCRATCH/.*/shop/notes.mjs', 'find . | xargs rm', 'find . -exec rm {} +'],
    ...["bash -c 'rm notes.mjs'"],
    ...['mktemp list.XXX', 'x=$(mktemp -d); rm -rf "$x/../shop"', "sed -n '/a/w list.txt' notes.mjs"],
    ...['notes list >& list.txt', 'notes list <> list.txt', 'cd $MDTEST_SCRATCH; echo x > ../shop/notes.mjs'],
    ...['echo x | tee notes.mjs', 'cp notes.mjs sub', 'cp out.txt $MDTEST_SCRATCH/../shop/notes.mjs'],
    ...['mv notes.mjs $MDTEST_SCRATCH', 'rm notes.mjs', 'rm -rf .', 'touch sub/x', 'mkdir $MDTEST_SCRATCH sub/x'],
    ...['cp -t sub out.txt', 'cp --target-directory=sub out.txt', 'ln -s / $MDTEST_SCRATCH/root', 'rm *'],
    ...['mkdir /tmp/x'],
  ])('%s', (line) => {
    expect(judge(line, product)).toMatchObject({ ok: false })
  })

  test('a rule that names the program allows it', () => {
    expect(judge('rm notes.mjs', 'Bash(rm notes.mjs)')).toMatchObject({ ok: true })
  })

  test('tells what the line itself writes', () => {
    const line = 'echo words > $MDTEST_SCRATCH/a; notes list | tee out.txt; cp notes.mjs $MDTEST_SCRATCH/b'
    const written = [join(scratch, 'a'), join(cwd, 'out.txt'), join(scratch, 'b')]
    expect(judge(line, product)).toMatchObject({ ok: true, isAction: true, written })
    expect(judge('cat notes.mjs | head -3', product)).toMatchObject({ ok: true, isAction: false, written: [] })
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
