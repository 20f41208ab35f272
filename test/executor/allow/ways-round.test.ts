import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { permit, type Permission } from '../../../src/executor/allow/permit.ts'
import { OwnFiles } from '../../../src/host/executor/own-files.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mdt-ways-')))
const cwd = join(folder, 'work')
const scratchDir = join(folder, 'scratch')
afterAll(() => rmSync(folder, { recursive: true }))

/** The agent wrote files in its folder, which has copies of the product as well: `changed` with one of its own. */
const own = new OwnFiles({ cwd, scratchDir, writes: ['out/*'], closed: [], now: () => new Date() })
const files = {
  work: 'notes.mjs lib.mjs data.json package.json out/x tree/a',
  scratch:
    'changed/notes.mjs changed/lib.mjs changed/package.json changed/Makefile same/notes.mjs same/package.json ' +
    'p.patch in.sql start repo/.git/config repo/.git/hooks/pre-commit repo/a.txt plain/.git/config plain/a.mjs',
}
for (const [place, names] of Object.entries(files)) {
  for (const name of names.split(' ')) {
    mkdirSync(join(folder, place, name, '..'), { recursive: true })
    writeFileSync(join(folder, place, name), `${place} ${name}`)
  }
}
symlinkSync(join(cwd, 'data.json'), join(cwd, 'tree/link'))
const written = 'changed/lib.mjs p.patch in.sql start repo/.git/hooks/pre-commit repo/a.txt'
for (const name of written.split(' ')) own.addFile(join(scratchDir, name))

function judge(line: string, allow: readonly string[]): Permission {
  return permit(line.replaceAll('$S', '$MDTEST_SCRATCH'), {
    allow,
    dangerouslyAllowAllActions: false,
    cwd,
    roots: [cwd, scratchDir],
    variables: { MDTEST_SCRATCH: scratchDir },
    mayWrite: (file) => own.groundFor(file) !== undefined,
    isOwnFile: (file) => own.has(file),
    mayLoadOwnFile: (program, more) => own.isLoadedBy(program, more),
  })
}

const broad = 'notes git tar npm npx node bash make python3 curl sqlite3 psql sudo taskset ./notes.mjs'
  .split(' ')
  .map((program) => `Bash(${program} *)`)
const everything = [...broad, 'Bash']

function expectRefused(line: string): void {
  expect(judge(line, everything)).toMatchObject({ ok: false })
}

function expectAllowed(line: string): void {
  expect(judge(line, broad)).toMatchObject({ ok: true })
}

describe('who writes to a link of a file writes to the file', () => {
  test.each([
    ...['cp -l data.json $S/d; echo x > $S/d', 'cp -al . $S/d', 'cp --lin data.json $S/d', 'cp -s $PWD/data.json $S/d'],
    'cp --symbolic-link $PWD/data.json $S/d; echo x > $S/d',
    ...['ln data.json $S/d', 'ln -s . $S/d; echo x > $S/d/data.json', 'ln -s $PWD $S/d', 'link data.json $S/d'],
    ...['ln *.json $S', 'cp -P tree/link $S/d; echo x > $S/d', 'cp -r tree $S/d; echo x > $S/d/link'],
    'cp -r tree $S/; echo x > $S/tree/link',
  ])('%s', expectRefused)

  test.each(['cp data.json $S/d; echo x >> $S/d', 'cp -r tree $S/d; echo x > $S/d/a', 'mv $S/in.sql $S/b.sql'])(
    'but not of a copy: %s',
    expectAllowed,
  )
})

describe('a copy of the product in which the agent changed a file is no product', () => {
  test.each([
    ...['node $S/changed/notes.mjs list', 'cd $S/changed && node notes.mjs list', 'cd $S/changed && ./notes.mjs list'],
    ...['cd $S/changed && npm start', 'cd $S/changed && make', 'make -C $S/changed'],
    'cp -r . $S/new; echo 1 > $S/new/lib.mjs; node $S/new/notes.mjs',
    'cp notes.mjs $S/new.mjs; echo 1 > $S/lib.mjs; node $S/new.mjs',
    'cp -r . $S/new; cp $S/changed/lib.mjs $S/new/lib.mjs; cd $S/new && npm start',
    // It may lie above what is run.
    'node $S/same/notes.mjs list',
  ])('%s', expectRefused)

  test('but one in which it changed none is, also with texts beside it', () => {
    const honest = new OwnFiles({ cwd, scratchDir, writes: [], closed: [], now: () => new Date() })
    for (const name of ['list.txt', 'in.json', 'out', 'same/list.txt']) honest.addFile(join(scratchDir, name))
    expect(honest.isLoadedBy(join(scratchDir, 'same/notes.mjs'))).toBe(false)
    expect(honest.isLoadedBy(join(cwd, 'notes.mjs'))).toBe(false)
    honest.addFile(join(scratchDir, 'same/words.json'))
    expect(honest.isLoadedBy(join(scratchDir, 'same/notes.mjs'))).toBe(true)
  })
})

describe('options that nobody sees', () => {
  test.each([
    ...['git $(echo -c) "alias.z=!ls" z', 'git $x "alias.z=!ls" z', 'git "$x" "alias.z=!ls" z', 'git -$x log'],
    ...['git "--$x" log', 'git config "$x" "!ls"', 'echo "-c alias.z=!ls z" | xargs git'],
    'echo "-c alias.z=!ls z" | xargs -I{} git {}',
    ...['npx $x -e 1', 'npm $(echo exec) -- ls', 'npm exec -- $x', 'tar $(echo --to-command=ls) -xf a.tar'],
    ...['find . $(echo -exec) ls', 'curl $x', 'sudo -- $x -e 1'],
  ])('%s', expectRefused)

  test.each([
    ...['git show -- "$x"', 'git log -n 5 --author="$x"', 'git show "v$x"', 'npm test -- "$x"', 'tar cf $S/a.tar ./*'],
    ...['curl -s "http://127.0.0.1:$PORT/notes"', 'ID=abc; git show $ID', 'notes "$x"'],
  ])('but not: %s', expectAllowed)

  test.each(['touch -- $S/--compress-program=sh', 'cd $S; echo > ./-x', 'cp data.json $S/-x', 'mkdir $S/-p'])(
    'no file is named like one: %s',
    expectRefused,
  )
})

describe('git runs no command and makes no file of the agent', () => {
  test.each([
    ...['cd $S/repo && git commit -m x', 'git -C $S/repo commit -m x', 'git apply $S/p.patch'],
    ...['git apply < $S/p.patch', 'cat $S/p.patch | git am', 'git fast-import < $S/p.patch'],
    ...['git init --template=$S/repo x', 'git clone --templ=$S/repo . $S/x'],
    'git clone --config core.sshCommand=ls a b',
    ...['git clone -ccore.sshCommand=ls a b', 'git clone -u ls a b', 'git hook run pre-commit', 'git config --edit'],
    ...['git config submodule.x.update "!ls"', 'git config remote.o.uploadpack ls'],
    ...['git config url.ext::sh.insteadOf x', 'git config gpg.ssh.defaultKeyCommand ls'],
    'git config set core.hooksPath $S/repo',
    'git -c core.hooksPath=$S/repo commit -m x',
  ])('%s', expectRefused)

  test.each([
    'cd $S/plain && git add a.mjs && git commit -m x',
    'git config user.name "A B"',
    'git config --get remote.origin.url',
    'git init $S/new && git -C $S/new status',
    'git push -u origin main',
  ])('but this: %s', (line) => {
    expect(judge(line, [...broad, 'Bash(git -C *)'])).toMatchObject({ ok: true })
  })
})

describe('programs that start what is among their arguments or in their input', () => {
  test.each([
    ...['taskset 1 $S/start', 'setarch x86_64 -R $S/start', 'run-parts $S/start', 'sudo -u me $S/start'],
    ...['sqlite3 x.db < $S/in.sql', 'echo ".shell ls" | sqlite3 x.db', 'echo "\\\\! ls" | psql shop', 'dc -e "!ls"'],
    'm4 $S/in.sql',
  ])('%s', expectRefused)

  test.each(['sqlite3 x.db "select 1"', 'psql shop -c "select 1"', 'sqlite3 x.db < data.json', 'npx notes $S/in.sql'])(
    'but not: %s',
    expectAllowed,
  )
})

describe('processes and channels that are not of the agent', () => {
  test.each([
    ...['kill -9 -1', 'kill -1', 'kill -s KILL -1', 'x=1; kill $x', 'kill -9 $PPID', 'kill -9 1'],
    ...['echo done > /proc/$PPID/fd/199', 'cat /proc/self/root/etc/hostname', 'cat /dev/fd/199'],
    ...['exec 3<>/dev/tcp/127.0.0.1/80', 'cat < /dev/tcp/127.0.0.1/80'],
    'curl --unix-socket /run/docker.sock http://x -K $S/in.sql',
  ])('%s', (line) => {
    expect(judge(line, broad)).toMatchObject({ ok: false })
  })

  test.each(['kill %1', 'kill -9 $!', 'kill -TERM %1 %2', 'notes serve & P=$!; kill $P', 'kill "$SERVER"'])(
    'but its own: %s',
    expectAllowed,
  )
})

describe('the shell reads no command that is not judged', () => {
  test.each([
    ...['echo ${ npm_publish; }', 'echo ${| npm_publish; }', 'echo $[ $(ls -x; npm_publish) ]', 'echo $[a[$(id)]]'],
    ...['echo $((a[$(id)]))', 'echo ${a[$(npm_publish)]}', 'echo $"$(npm_publish)"', 'ls # x\nnpm_publish'],
    ...['ls \\\n; npm_publish', 'ls\u00a0; npm_publish', 'ls\u2028npm_publish', 'ls \0; npm_publish', '! npm_publish'],
    ...['until npm_publish; do :; done', 'ls |& npm_publish', 'ls &> >(npm_publish)', 'echo {a,$(npm_publish)}'],
    ...['coproc npm_publish', 'select x in a; do npm_publish; done', "trap 'npm_publish' EXIT"],
    ...["PROMPT_COMMAND='npm_publish'", "mapfile -C 'npm_publish' -c 1 a", 'enable -f ./x y', 'env -S "npm_publish"'],
    ...["printf -v 'a[$(npm_publish)]' x", "wait -p 'a[$(npm_publish)]'", "$'npm\\x5fpublish'", 'n{pm,pm}_publish'],
  ])('%j', (line) => {
    expect(judge(line, broad)).toMatchObject({ ok: false })
  })
})
