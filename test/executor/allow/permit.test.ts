import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { permit, type Permission } from '../../../src/executor/allow/permit.ts'
import { isInside } from '../../../src/system/files/is-inside.ts'
import { allowTables } from '../../support/allow-table.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mdt-permit-')))
const cwd = join(folder, 'shop')
const scratch = join(folder, 'scratch')
for (const each of [join(cwd, 'sub'), scratch]) mkdirSync(each, { recursive: true })
symlinkSync('/etc', join(cwd, 'way-out'))
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
    mayLoadOwnFile: () => false,
  })
}

const product = 'Bash(notes *)'

describe('what honest agents write is allowed', () => {
  test.each([
    'notes list',
    'notes add "buy milk" && notes list | grep -n milk | head -5',
    'ID=$(notes add milk | cut -d: -f2); notes show "$ID"; notes done $ID',
    'export DEBUG=1; notes list',
    'cd sub && notes list && cd .. && ls -la',
    'for id in 1 2 3; do notes show $id; done',
    'for f in *.txt; do cat "$f"; wc -l "$f"; done',
    'notes list | while IFS= read -r line; do echo "> $line"; done',
    'notes list > $MDTEST_SCRATCH/list.txt 2>&1; cat "$MDTEST_SCRATCH/list.txt"',
    'notes export > out.txt',
    'notes list | tee $MDTEST_SCRATCH/all.txt | wc -l',
    'mkdir -p $MDTEST_SCRATCH/{a,b} && cp notes.mjs $MDTEST_SCRATCH/a/ && rm -rf "$MDTEST_SCRATCH/a"',
    'notes serve & sleep 1; notes list; kill %1; wait',
    'notes serve & SERVER=$!; notes list; kill $SERVER',
    'notes nosuch; echo "exit: $?"',
    'if [ -f notes.mjs ]; then notes list; else echo none; fi',
    'n=$(notes list | wc -l); if [ "$n" -gt 3 ]; then echo many; fi; [ $n -lt 3 ]',
    'i=0; while [ $i -lt 3 ]; do notes show $i; i=$((i+1)); done',
    '[[ $(notes list) == *milk* ]] && echo found',
    'diff <(notes list) <(notes list --all)',
    'timeout 10 notes watch; time notes list; nohup notes serve &',
    'echo one | notes import',
    'notes list | sed -n "1,5p" | sed "s/a/b/g" | sort -u | uniq -c | tr a-z A-Z',
    'notes list # all of them',
    'set -o pipefail; notes list | head -1',
    'start=$(date +%s); notes list; end=$(date "+%s"); echo $((end-start))',
    'seq 1 100 | xargs -n1 notes show',
    'find . -name "*.txt" -newer notes.mjs | head',
    'FOO=1 notes list',
    '{ notes list; notes show 1; } | tail -n 3',
    '(cd sub; notes list)',
    'case "$(notes list)" in *milk*) echo yes;; esac',
    'notes list 2>/dev/null || true',
    'notes list | tee /dev/stderr /dev/stdout | wc -l; echo milk | notes import /dev/stdin',
    'pwd; date +%s; which notes; node --version',
    'grep -rn "add" . --include="*.mjs"',
  ])('%s', (line) => {
    expect(judge(line, product)).toMatchObject({ ok: true })
  })
})

describe('what no rule allows is refused, with the rule that would', () => {
  test.each<readonly [string, string]>([
    ...[
      ...['npm publish', 'notes list && npm publish', 'notes list | npm publish'],
      ...['notes list; (npm publish)', 'notes $(npm publish)', 'notes "`npm publish`"'],
      ...['notes <(npm publish)', 'echo ${x:-$(npm publish)}', 'x=(a $(npm publish))'],
      ...['[[ -n $(npm publish) ]]', 'if true; then npm publish; fi', 'while npm publish; do echo; done'],
      ...['case x in $(npm publish)) ;; esac', 'notes list > $(npm publish)'],
    ].map((line) => [line, 'Bash(npm *)'] as const),
    ['xargs npm publish', 'Bash(xargs *)'],
    ['npm publish &', 'Bash(npm *)'],
    ['time npm publish', 'Bash(npm *)'],
    ['env A=1 npm publish', 'Bash(env *)'],
    ['./notes list', 'Bash(./notes *)'],
    ['/usr/bin/ls', 'Bash(/usr/bin/ls *)'],
    ['notesx list', 'Bash(notesx *)'],
    ['awk "{print 1}" notes.mjs', 'Bash(awk *)'],
    ['env', 'Bash(env *)'],
    ['export', 'Bash(export *)'],
  ])('%s', (line, rule) => {
    const permission = judge(line, product)
    expect(permission).toMatchObject({ ok: false, rule })
    expect(permission.ok ? '' : permission.message).toContain('Allowed: `Bash(notes *)`. To allow it: `allow: ["Bash(')
  })
})

test.each(['cd /tmp && notes list', 'mkdir -p /tmp/x', 'cd "$(mktemp -d)"', 'notes list > list.txt'])(
  'who wants a folder of its own hears where it is: %s',
  (line) => {
    const permission = judge(line, product)
    expect(permission.ok ? '' : permission.message).toContain('`$MDTEST_SCRATCH`')
  },
)

describe('looking ends at the folders of the scenario', () => {
  test.each([
    ...['cat /etc/hostname', 'cat ../secret', 'cat way-out/hostname', 'cd way-out && ls', 'ls /'],
    ...['cd / && cat etc/hostname', 'cat < /etc/hostname', 'grep -f /etc/hostname notes.mjs', 'grep -r x /etc'],
    ...['find / -name x', 'f=/etc/hostname; cat $f', 'for f in /etc/host*; do cat $f; done', 'cat "$UNKNOWN"'],
    ...['cat $(echo /etc/hostname)', 'cat .*/secret', 'head -n 1 -- /etc/hostname', 'wc --files0-from=/etc/hostname'],
    ...['cat /proc/self/environ', 'cat /proc/self/root/etc/hostname', 'cp /etc/hostname $MDTEST_SCRATCH', 'ps auxe'],
    'sort --files0-from=/etc/x',
  ])('%s', (line) => {
    expect(judge(line, product, 'Bash(cat *)', 'Bash(cd *)')).toMatchObject({ ok: false })
  })
})

describe('code of the agent is refused, even where a rule allows the program', () => {
  const broad =
    'node bash sh python3 perl ruby php awk sed find xargs env npx npm sudo make git tar deno bun timeout vim watch'
      .split(' ')
      .map((program) => `Bash(${program} *)`)
  test.each([
    ...['node -e 1', 'node -pe 1', 'node --eval=1', 'node --print 1', 'node "-e" 1', 'no""de -e 1'],
    'node --import data:text/javascript,1 notes.mjs',
    'node --import=data:text/javascript,1 notes.mjs',
    ...['node -r ./own.js notes.mjs', 'node --require=./own.js notes.mjs', 'node --env-file=own.env notes.mjs'],
    ...['node own.mjs', 'node own', 'node --no-warnings own.mjs', 'node --title x own.mjs'],
    ...['node $MDTEST_SCRATCH/own.mjs', 'x=own.mjs; node $x', 'node "$x"', 'node $(echo own.mjs)', 'node *.mjs'],
    ...['node <(echo 1)', 'node < own.mjs', 'node', 'echo 1 | node', 'echo 1 | node -', 'node /dev/stdin'],
    ...['node -r /dev/stdin notes.mjs', 'cat own.mjs | node --input-type=module', 'node <<< 1', 'node <<EOF\n1\nEOF'],
    ...['cd sub && node ../own.mjs', 'timeout 5 node -e 1', 'env node -e 1', 'env A=1 node -e 1'],
    ...['xargs node < notes.mjs', 'echo own.mjs | xargs node', 'echo 1 | xargs -I{} node -e {}', 'sudo node -e 1'],
    ...['sudo -u x node -e 1', 'npx node -e 1', 'npx -c "node -e 1"', 'npm exec -- node -e 1'],
    ...['npm exec -c "node -e 1"', 'bash -c ls', 'bash -xc ls', 'bash own.sh', 'bash --rcfile own.sh -i'],
    ...['sh -s < notes.mjs', 'echo ls | sh', 'python3 -c 1', 'python3 -Ic 1', 'python3 -m own', 'python3 -'],
    ...['perl -e 1', 'perl -ne 1', 'perl -Mstrict;exit -v', "perl '-MPOSIX;exit' notes.mjs", 'ruby -e 1'],
    ...['ruby -r ./own x', 'php -r 1', 'deno eval 1', 'bun -e 1', 'deno run own.ts', `awk 'BEGIN { system("ls") }'`],
    ...[`awk '{ print > "x" }'`, `awk '{ "ls" | getline x }'`, 'awk -f own.awk', `sed 's/a/b/w out' notes.mjs`],
    ...[`sed 's/a/b/e' notes.mjs`, `sed '1e ls' notes.mjs`, 'sed -f own.sed notes.mjs', 'find . -exec node -e 1 \\;'],
    ...['find . -exec cat {} +', 'find . -delete', 'git -c core.pager=x log', 'tar --to-command=sh -xf x.tar'],
    ...['make -f own.mk', 'make SHELL=./x', 'vim -c :!ls', 'watch "node -e 1"'],
    ...['echo x | tee $MDTEST_SCRATCH/y; ./own.sh', '$MDTEST_SCRATCH/own.sh', 'cd $MDTEST_SCRATCH && ./own.sh'],
    ...['cd nosuch; ./own.sh', '$x list', '"$x"', '$(echo node) notes.mjs', '*/notes', '{node,-e} 1', 'eval ls'],
    ...['source own.sh', '. ./notes.mjs', 'exec node notes.mjs', 'command node -e 1', 'builtin eval ls', '\\eval ls'],
    ...['alias node=x', 'node() { ls; }; node notes.mjs', 'function node { ls; }', 'trap ls EXIT', 'hash -p ./x node'],
    ...['enable -f ./x y', 'set -x', 'shopt -s expand_aliases', 'coproc node notes.mjs', 'mapfile -C ls x < notes.mjs'],
    ...['gdb -p 1', 'env cd sub && ./own.sh', 'timeout 5 eval ls'],
    'for ((i = $(node -e 1 | wc -l); i < 1; i++)); do ls; done',
    ...['n=$(node -e 1 | wc -l)', 'cat "$(node -e 1)"', 'notes list <(node -e 1) >(node -e 1)', "$'node' -e 1"],
    ...["$'no\\x64e' -e 1", 'nod\\\ne -e 1', 'strace -p 1'],
  ])('%s', (line) => {
    expect(judge(line, 'Bash', ...broad)).toMatchObject({ ok: false })
  })

  test.each([
    ['node -e 1', 'Bash(node -e *)'],
    ['node -e 1', 'Bash(node -e 1)'],
    ['bash -c ls', 'Bash(bash -c *)'],
    ['echo 1 | node -', 'Bash(node -)'],
    ['notes import <<EOF\n1\nEOF', 'Bash(notes import *)'],
    ['cat <<EOF | notes import\n1\nEOF', 'Bash(cat *)'],
    ['strace notes list', 'Bash(strace *)'],
    ['set -e', 'Bash(set *)'],
    ['. ./env.sh', 'Bash(. ./env.sh)'],
    ['NODE_OPTIONS=--no-warnings notes list', 'Bash(NODE_OPTIONS=--no-warnings *)'],
    ['node notes.mjs -e 1', 'Bash(node notes.mjs *)'],
    ['node notes.mjs own.txt', 'Bash(node notes.mjs *)'],
    ['npm test -- "a b"', 'Bash(npm test *)'],
  ])('but not where a rule names it: %s by %s', (line, rule) => {
    expect(judge(line, product, rule)).toMatchObject({ ok: true })
  })

  test.each([
    ['node -e 1', 'Bash(node -*)'],
    ['node -e 1', 'Bash(node *e*)'],
    ['echo 1 | node -', 'Bash(node -*)'],
    ['cat <<EOF | notes import\n1\nEOF', product],
    ['NODE_OPTIONS=--x notes list', 'Bash(NODE_OPTIONS=*)'],
    ['PATH=/x notes', 'Bash(notes)'],
  ])('and a rule with a star there names nothing: %s by %s', (line, rule) => {
    expect(judge(line, product, rule)).toMatchObject({ ok: false })
  })
})

describe('what steers later commands is refused', () => {
  test.each([
    ...['PATH=/x:$PATH notes list', 'export PATH=/x', 'PATH=/x', 'LD_PRELOAD=./x.so notes list'],
    ...['env LD_PRELOAD=./x.so notes list', 'NODE_OPTIONS="-r ./x" notes list', 'BASH_ENV=x bash notes.sh'],
    ...['export GIT_PAGER=x', 'HOME=/x notes list', 'IFS=,; notes list', 'npm_config_script_shell=x npm test'],
    'MDTEST_SCRATCH=/x',
    'MDTEST_SCRATCH=/x; notes > $MDTEST_SCRATCH/y',
    ...['for PATH in /x; do notes list; done', 'read PATH < notes.mjs', 'echo ${PATH:=/x}', 'declare -n x=PATH'],
    ...['export $x', 'printf -v PATH x', 'unset PATH', '((PATH=1))', '{PATH}> out.txt', 'x=a; ((x))', 'echo $((x))'],
    ...['echo ${a[$x]}', 'echo ${!x}', 'echo ${x@P}', '[[ $x -eq 1 ]]', '[ -v "$x" ]', '[ $x ]', 'test "$op" "$x"'],
    ...['unset "a[\\$(ls)]"', "read 'a[$(ls)]' < notes.mjs", 'let x=1', 'echo $((1 + $(notes list)))'],
  ])('%s', (line) => {
    expect(judge(line, 'Bash', product)).toMatchObject({ ok: false })
  })
})

describe('writing is for the scratch folder and `writes`', () => {
  const broad = 'cp mv ln tee dd rm curl wget tar sort sed truncate chmod install split patch unzip rsync touch'
    .split(' ')
    .map((program) => `Bash(${program}:*)`)
  test.each([
    ...['notes list > list.txt', 'notes list >> ../list.txt', 'notes list &> /tmp/list.txt', 'notes list >| notes.mjs'],
    ...['notes list > $x', 'notes list > "$x/y"', 'notes list > *.txt', 'notes list > /dev/tcp/127.0.0.1/80'],
    ...['notes list > /proc/self/fd/3', 'notes list >& list.txt', 'notes list <> list.txt'],
    ...['cd sub; notes list > $PWD/x', 'cd $MDTEST_SCRATCH; notes list > x', 'echo x | tee notes.mjs'],
    'cp notes.mjs sub',
    'cp out.txt $MDTEST_SCRATCH/../shop/notes.mjs',
    ...['mv notes.mjs $MDTEST_SCRATCH', 'rm notes.mjs', 'rm -rf .', 'touch sub/x', 'mkdir $MDTEST_SCRATCH sub/x'],
    ...['cp $MDTEST_SCRATCH/{a,b} sub', 'cp -t sub out.txt', 'cp --target-directory=sub out.txt'],
    ...['ln -s / $MDTEST_SCRATCH/root', 'sed -i s/a/b/ notes.mjs', 'sort -o notes.mjs out.txt'],
  ])('%s', (line) => {
    expect(judge(line, 'Bash', product)).toMatchObject({ ok: false })
  })

  test.each([
    ...['rm /etc/hostname', 'cp out.txt /tmp/x', 'dd of=/tmp/x', 'curl -o /tmp/x http://127.0.0.1'],
    ...['wget -O /tmp/x http://127.0.0.1', 'tar xf x.tar -C /tmp', 'tar xf own.tar', 'unzip own.zip'],
    ...['sort -o /tmp/x out.txt', 'ln -s /etc sub/x'],
  ])('not even with a rule outside of the folders: %s', (line) => {
    expect(judge(line, product, ...broad)).toMatchObject({ ok: false })
  })

  test('a rule that names the program allows it in the folders', () => {
    expect(judge('rm notes.mjs', ...broad)).toMatchObject({ ok: true })
    expect(judge('touch sub/x', ...broad)).toMatchObject({ ok: true })
  })

  test('tells what is written in words of somebody', () => {
    const line =
      'echo words > $MDTEST_SCRATCH/a; notes list | tee out.txt; cp notes.mjs $MDTEST_SCRATCH; mkdir $MDTEST_SCRATCH/b'
    expect(judge(line, product)).toEqual({ ok: true, written: [join(scratch, 'a'), join(cwd, 'out.txt')] })
  })
})

test.each([
  'ls|'.repeat(20_000) + 'ls',
  `notes ${'a '.repeat(32_000)}`,
  `notes ${'{a,b} '.repeat(1900)}`,
  `notes ${'../'.repeat(20_000)}`,
  `ps ${'abcd%'.repeat(12_000)}!`,
  `sed '${'\\/'.repeat(30_000)}'`,
  `sed '${'s/a/b/;'.repeat(9000)}'`,
  `awk '${'print'.repeat(12_000)}'`,
  `perl -${'m'.repeat(60_000)}`,
  `bash -${'c'.repeat(60_000)}!`,
  `${'for i in 1 2; do '.repeat(100)}ls;${'done;'.repeat(100)}`,
  `${'"$(echo '.repeat(60)}a${')"'.repeat(60)}`,
  `echo $((${'1+'.repeat(30_000)}1))`,
  `${'timeout 5 '.repeat(600)}ls`,
  'echo x > $MDTEST_SCRATCH/a0' +
    Array.from({ length: 300 }, (_, n) => `;cp $MDTEST_SCRATCH/a${n} $MDTEST_SCRATCH/a${n + 1}`)
      .reverse()
      .join(''),
])('judges a line in time that is made to take minutes: %.30s', { timeout: 60_000 }, (line) => {
  expect(judge(line, 'Bash', 'Bash(a*b*c*d*e)')).toHaveProperty('ok')
})

describe('what a line writes it does not run, whatever comes first', () => {
  test.each([
    'echo x > $S/a.mjs; node $S/a.mjs',
    'echo x | tee $S/a.sh | cat; bash $S/a.sh',
    'while true; do node $S/a.mjs; echo x > $S/a.mjs; done',
    '(sleep 1; node $S/a.mjs) & echo x > $S/a.mjs; wait',
    'echo x > $S/a.mjs; mv $S/a.mjs $S/b.mjs; node $S/b.mjs',
    '(sleep 1; cp $S/a.mjs $S/b.mjs) & echo x > $S/a.mjs; sleep 2; node $S/b.mjs',
    'mkdir $S/d; echo x > $S/d/a.mjs; cp -r $S/d $S/e; node $S/e/a.mjs',
    'echo x > $S/a.mjs; cp $S/* $S/d/; node $S/d/a.mjs',
    'cp $S/own.mjs $S/b.mjs; node $S/b.mjs',
    'echo x > $S/a.mjs; node < $S/a.mjs',
    'echo "{}" > $S/package.json; cd $S && npm test',
  ])('%s', (line) => {
    expect(judge(line.replaceAll('$S', '$MDTEST_SCRATCH'), 'Bash')).toMatchObject({ ok: false })
  })

  test.each([
    'notes export > $S/a.txt; node notes.mjs import $S/a.txt',
    'notes export > $S/a.txt; node notes.mjs import < $S/a.txt; rm $S/a.txt',
    'cp notes.mjs $S/; echo x > $S/a.txt; node $S/notes.mjs $S/a.txt',
  ])('but reads: %s', (line) => {
    expect(judge(line.replaceAll('$S', '$MDTEST_SCRATCH'), 'Bash')).toMatchObject({ ok: true })
  })

  test('tells what holds such words in the end', () => {
    const line =
      'echo x > $MDTEST_SCRATCH/a.mjs && mv $MDTEST_SCRATCH/a.mjs $MDTEST_SCRATCH/b.mjs; cp notes.mjs out.txt'
    const permission = judge(line, product)
    expect(permission.ok && permission.written).toEqual(expect.arrayContaining([join(scratch, 'b.mjs')]))
    expect(permission.ok && permission.written).not.toContain(join(cwd, 'out.txt'))
  })
})

describe('a line that bash would not read is refused with the place', () => {
  test.each([
    ['notes "x', 'character 7, before `"x`'],
    ['notes &&', 'character 9, before the end'],
    ['if notes; then', 'character 15, before the end'],
    ['notes $(x', 'character 7'],
    ['cat <<EOF\nx', 'character 5'],
    ['notes\rlist', 'character 6'],
    ['notes \0', 'character 7'],
    ['x'.repeat(65_537), 'longer than 64 KiB'],
    ['$('.repeat(30_000), 'more than 64 substitutions'],
    ['('.repeat(60_000), 'cannot be judged'],
  ])('%s', (line, message) => {
    const permission = judge(line, 'Bash')
    expect(permission.ok ? '' : permission.message).toContain(message)
  })
})

test.each(allowTables.flatMap(({ allow, rows }) => rows.map((row) => ({ ...row, allow }))))(
  'of the table that every agent has: $command is $verdict',
  ({ allow, command, verdict }) => {
    const options = {
      dangerouslyAllowAllActions: false,
      cwd,
      roots: [cwd],
      isOwnFile: () => false,
      mayLoadOwnFile: () => false,
    }
    const permission = permit(command, { ...options, allow, mayWrite: (file) => isInside(file, cwd) })
    expect(permission.ok ? 'allowed' : 'refused').toBe(verdict)
  },
)

test('`dangerouslyAllowAllActions` is the rule `Bash`', () => {
  const options = {
    allow: [],
    dangerouslyAllowAllActions: true,
    cwd,
    roots: [cwd],
    mayWrite: () => true,
    isOwnFile: () => false,
    mayLoadOwnFile: () => false,
  }
  expect(permit('npm publish; cat /etc/hostname > /tmp/x', options)).toMatchObject({ ok: true, written: ['/tmp/x'] })
  expect(permit('node -e 1', options)).toMatchObject({ ok: false, rule: 'Bash(node -e *)' })
})
